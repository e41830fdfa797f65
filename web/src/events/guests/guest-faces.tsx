import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../app/cache/pages.ts'
import { useSettled } from '../../app/idle.ts'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { guestsQuery } from '../queries.ts'

const most = 7

/** Faces of the guests; the link around them leads to the list of all, with their names. */
export const GuestFaces = ({ eventId }: { eventId: number }) => {
  const settled = useSettled()
  const { data } = useInfiniteQuery({ ...guestsQuery(eventId), enabled: settled })
  return (
    <span className="mt-1.5 flex h-8 flex-wrap overflow-hidden -space-x-2" aria-hidden="true">
      {rowsOf(data, ({ user }) => user.id)
        .slice(0, most)
        .map(({ user }) => (
          <Avatar key={user.id} src={user.user_avatar_url} size={32} className="ring-2 ring-card" />
        ))}
    </span>
  )
}
