import { useInfiniteQuery } from '@tanstack/react-query'
import { CalendarPlus, Globe, MailOpen, Plus, Sparkles } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { ErrorBoundary } from '../app/router/error-boundary.tsx'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { useMayMakeEvents } from '../people/registration.ts'
import { buttonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { DeletedEvents } from './deleted-events.tsx'
import { EventCard } from './event-card.tsx'
import { type Filter, filters } from './keys.ts'
import { eventsQuery, invitationsQuery } from './queries.ts'
import { WaitingList } from './waiting-list.tsx'

export const EventsList = () => {
  const { t } = useWords()
  const [filter, setFilter] = useState<Filter>('upcoming')
  const mayMakeEvents = useMayMakeEvents()
  return (
    <section
      aria-label={t('events.title')}
      className="mx-auto grid max-w-6xl grid-cols-1 content-start lg:px-4 lg:pt-4"
    >
      <title>{`${t('events.title')} · Afterglow`}</title>
      <header className="safe-top sticky top-(--bar) z-20 bg-paper/90 px-4 pb-2 backdrop-blur">
        <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-3">
          <h1 className="font-display text-2xl font-semibold">{t('events.title')}</h1>
          {mayMakeEvents && (
            <Link to="/events/new" className={buttonClass('main', 'small')}>
              <Plus className="size-4.5" aria-hidden="true" />
              {t('eventForm.create')}
            </Link>
          )}
        </div>
        <Tabs
          label={t('events.which')}
          tabs={filters}
          chosen={filter}
          onChoose={setFilter}
          nameOf={each => t(`events.filter.${each}`)}
          controls="events-shown"
        />
      </header>
      <InvitationsHint />
      <WaitingList />
      <div id="events-shown" role="tabpanel" className="px-4 pb-6">
        <Shown key={filter} filter={filter} />
        {filter === 'hosting' && <DeletedEvents />}
      </div>
    </section>
  )
}

const InvitationsHint = () => {
  const { t } = useWords()
  const { data } = useInfiniteQuery(invitationsQuery)
  const waiting = rowsOf(data, invitation => invitation.id).length
  if (waiting === 0) return null
  return (
    <Link
      to="/invitations"
      className="mx-4 mb-3 flex items-center gap-3 rounded-2xl bg-glow px-4 py-3 font-semibold text-on-glow"
    >
      <MailOpen className="size-5" aria-hidden="true" />
      {t('invitations.waiting', { count: waiting })}
    </Link>
  )
}

const Shown = ({ filter }: { filter: Filter }) => {
  const list = useInfiniteQuery(eventsQuery(filter))
  const listed = useDeferredValue(list.data)
  const events = rowsOf(listed, event => event.id)
  if (list.data ? !listed : list.isPending && list.fetchStatus !== 'paused') return <Placeholders />
  if (!list.data) return <Failed error={list.error} retry={() => void list.refetch()} />
  if (events.length === 0) return <Empty filter={filter} />
  return (
    <>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {events.map(event => (
          <li key={event.id}>
            <ErrorBoundary>
              <EventCard event={event} />
            </ErrorBoundary>
          </li>
        ))}
      </ul>
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
    </>
  )
}

const Placeholders = () => (
  <div className="grid gap-3">
    {['a', 'b', 'c', 'd'].map(key => (
      <Skeleton key={key} className="h-27 rounded-2xl" />
    ))}
  </div>
)

const icons = { upcoming: CalendarPlus, hosting: Sparkles, past: Sparkles, public: Globe }
const Empty = ({ filter }: { filter: Filter }) => {
  const { t } = useWords()
  const mayMakeEvents = useMayMakeEvents()
  return (
    <Notice
      icon={icons[filter]}
      title={t(`events.empty.${filter}`)}
      action={
        filter !== 'public' &&
        mayMakeEvents && (
          <Link to="/events/new" className={buttonClass('soft')}>
            {t('eventForm.create')}
          </Link>
        )
      }
    >
      {t(`events.emptyMore.${filter}`)}
    </Notice>
  )
}
