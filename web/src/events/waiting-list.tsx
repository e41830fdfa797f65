import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, Flag, ImageUp, UserRoundPlus } from 'lucide-react'
import { rowsOf } from '../app/cache/pages.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { waitingListQuery } from './queries.ts'

const pages = { photos: 'waiting', join_requests: 'requests', returns: 'requests', reports: 'reports' } as const
const icons = { photos: ImageUp, join_requests: UserRoundPlus, returns: UserRoundPlus, reports: Flag }

/** What waits for the viewer in all the events that they organize; nothing if nothing does. */
export const WaitingList = () => {
  const { t } = useWords()
  const list = useInfiniteQuery(waitingListQuery)
  const all = rowsOf(list.data, ({ event_id, waiting_kind }) => `${event_id} ${waiting_kind}`)
  if (all.length === 0) return null
  return (
    <section className="mx-4 mb-4 grid grid-cols-1 gap-2 rounded-2xl bg-glow p-4 text-on-glow">
      <h2 className="font-semibold">{t('waiting.forYou')}</h2>
      <ul className="grid grid-cols-1">
        {all.map(({ event_id, event_name, waiting_kind: kind, waiting_count }) => {
          const Icon = icons[kind]
          return (
            <li key={`${event_id} ${kind}`}>
              <Link
                to={`/events/:eventId/${pages[kind]}`}
                params={{ eventId: event_id }}
                className="flex min-h-11 items-center gap-3"
              >
                <Icon className="size-5 shrink-0" aria-hidden="true" />
                <span className="grid min-w-0 flex-1 grid-cols-1">
                  <span className="font-semibold">{t(`waiting.kind.${kind}`, { count: waiting_count })}</span>
                  <span className="truncate text-sm" dir="auto">
                    {event_name}
                  </span>
                </span>
                <ChevronRight className="size-5 shrink-0 rtl:-scale-x-100" aria-hidden="true" />
              </Link>
            </li>
          )
        })}
      </ul>
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
    </section>
  )
}
