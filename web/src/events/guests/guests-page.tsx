import { useQuery } from '@tanstack/react-query'
import { UserRoundPlus } from 'lucide-react'
import { rowsOf } from '../../app/cache/pages.ts'
import { useParams } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EventFailed } from '../event-failed.tsx'
import { askToInvite } from '../invite/inviting.ts'
import { eventQuery } from '../queries.ts'
import { GuestRow } from './guest-row.tsx'
import { useGuestSearch } from './guests-named.ts'
import { RequestsHint } from './requests-hint.tsx'

/** More guests than a look finds somebody among. */
const searchedFrom = 20

export const GuestsPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/guests')
  const { data: event } = useQuery(eventQuery(eventId))
  const { typed, setTyped, list } = useGuestSearch(eventId)
  const guests = rowsOf(list.data, guest => guest.user.id)
  return (
    <>
      <title>{`${t('guests.title')} · Afterglow`}</title>
      <PageHeader
        title={t('guests.title')}
        back={{ to: '/events/:eventId', params: { eventId } }}
        backOnDesktop
        actions={
          event?.extra.may.invite && (
            <Button
              look="soft"
              size="small"
              icon={<UserRoundPlus className="size-4.5" aria-hidden="true" />}
              onClick={() => askToInvite(eventId)}
            >
              {t('invite.act')}
            </Button>
          )
        }
      />
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-4 px-2 py-4 sm:px-4">
        {event?.extra.may.manage && <RequestsHint event={event} />}
        {event?.extra.guests_hidden && !event.extra.may.manage && (
          <p className="px-2 text-pretty text-soft">{t('guests.hidden')}</p>
        )}
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
        <ul>{event && guests.map(guest => <GuestRow key={guest.user.id} guest={guest} event={event} />)}</ul>
        <p role="status" className="text-center text-soft">
          {typed && list.data && guests.length === 0 && t('gallery.nobodyFound')}
        </p>
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
    </>
  )
}
