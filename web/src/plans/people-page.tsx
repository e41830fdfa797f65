import { useQuery } from '@tanstack/react-query'
import { UserRoundPlus } from 'lucide-react'
import { rowsOf } from '../app/cache/pages.ts'
import { useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { GuestRow } from '../events/guests/guest-row.tsx'
import { useGuestSearch } from '../events/guests/guests-named.ts'
import { RequestsSection } from '../events/guests/requests-section.tsx'
import { askToInvite } from '../events/invite/inviting.ts'
import { eventQuery } from '../events/queries.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AnswerCounts } from './answer-counts.tsx'
import { AnswerGroups } from './answer-groups.tsx'

/** Longer lists get a search field. */
const searchedFrom = 20

/** The people of an event: requests to join, and guests by answer, as far as the viewer may see them. */
export const PeoplePage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/guests')
  const { data: event } = useQuery(eventQuery(eventId))
  const { typed, setTyped, name, list } = useGuestSearch(eventId)
  const guests = rowsOf(list.data, guest => guest.user.id)
  const manages = event?.extra.may.manage
  return (
    <>
      <title>{`${t('guests.title')} · Afterglow`}</title>
      <PageHeader
        title={t('guests.title')}
        back={{ to: '/events/:eventId', params: { eventId } }}
        actions={
          event?.extra.may.invite && (
            <Button size="small" icon={<UserRoundPlus className="size-4.5" />} onClick={() => askToInvite(eventId)}>
              {t('invite.act')}
            </Button>
          )
        }
      />
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-6 px-4 py-4">
        {event && <AnswerCounts eventId={eventId} />}
        {manages && <RequestsSection eventId={eventId} />}
        {event?.extra.guests_hidden && !manages && <p className="text-pretty text-soft">{t('guests.hidden')}</p>}
        {event && event.event_guests_count > searchedFrom && (
          <Field
            type="search"
            label={t('gallery.findGuest')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoComplete="off"
            maxLength={100}
          />
        )}
        {list.isPending && <SkeletonRows />}
        {list.isError && !list.data && <EventFailed error={list.error} retry={() => void list.refetch()} />}
        {event && manages && name === '' ? (
          <AnswerGroups event={event} guests={guests} />
        ) : (
          <>
            <ul>{event && guests.map(guest => <GuestRow key={guest.user.id} guest={guest} event={event} />)}</ul>
            <p role="status" className="text-center text-soft">
              {typed && list.data && guests.length === 0 && t('gallery.nobodyFound')}
            </p>
            <LoadMore
              more={list.hasNextPage}
              loading={list.isFetchingNextPage}
              load={() => void list.fetchNextPage()}
            />
          </>
        )}
      </div>
    </>
  )
}
