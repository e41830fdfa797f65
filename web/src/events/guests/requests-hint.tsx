import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { rowsOf } from '../../app/cache/pages.ts'
import { Link } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { waitingOf } from '../event-words.ts'
import { returnsQuery } from '../links/returns-queries.ts'
import { type Event, requestsQuery } from '../queries.ts'

/** Tells organizers who is waiting to join. */
export const RequestsHint = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const { data } = useInfiniteQuery(requestsQuery(event.id))
  const back = rowsOf(useInfiniteQuery(returnsQuery(event.id)).data, ({ id }) => id)
  const asking = rowsOf(data, person => person.id)
  const people = [...asking, ...back.flatMap(({ candidates }) => candidates[0]?.user ?? [])]
  const count = waitingOf(event, 'join_requests') + waitingOf(event, 'returns')
  if (count === 0) return null
  return (
    <Link
      to="/events/:eventId/requests"
      params={{ eventId: event.id }}
      className="flex items-center gap-3 rounded-2xl bg-glow px-4 py-3 font-semibold text-on-glow"
    >
      <span className="flex -space-x-2.5">
        {people.slice(0, 3).map(person => (
          <Avatar key={person.id} src={person.user_avatar_url} size={32} className="ring-2 ring-glow" />
        ))}
      </span>
      <span className="flex-1">{t('requests.waiting', { count })}</span>
      <ChevronRight className="size-5 rtl:-scale-x-100" aria-hidden="true" />
    </Link>
  )
}
