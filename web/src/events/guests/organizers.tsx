import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { useSettled } from '../../app/idle.ts'
import { useWords } from '../../app/words.ts'
import { isIn } from '../event-words.ts'
import { eventQuery, guestsQuery } from '../queries.ts'

const Organizers = createContext<ReadonlySet<number>>(new Set())

/** Names can be copied: what is shown within marks those who organize the event. */
export const WithOrganizers = ({ eventId, children }: { eventId: number; children: ReactNode }) => {
  const settled = useSettled()
  const { data: event } = useQuery(eventQuery(eventId))
  const named = event !== undefined && isIn(event)
  const { data } = useInfiniteQuery({ ...guestsQuery(eventId), enabled: settled && named })
  const ids = useMemo(() => {
    const guests = rowsOf(data, ({ user }) => user.id)
    return new Set(guests.filter(({ event_role }) => event_role === 'organizer').map(({ user }) => user.id))
  }, [data])
  return <Organizers value={ids}>{children}</Organizers>
}

/** Beside a name. */
export const OrganizerMark = ({ userId }: { userId: number }) => {
  const { t } = useWords()
  return use(Organizers).has(userId) ? (
    <span className="ms-1.5 shrink-0 rounded-full bg-glow px-2 text-xs font-medium text-on-glow">
      {t('event.role.organizer')}
    </span>
  ) : null
}
