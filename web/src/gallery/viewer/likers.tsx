import { useInfiniteQuery } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { useState } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { likesQuery } from '../comments/comment-queries.ts'
import type { Photo } from '../queries.ts'

const facesMax = 5

/** The people who like a photo: some faces, and all names on request. */
export const Likers = ({ photo }: { photo: Photo }) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  const number = Number(photo.event_photo_likes_count)
  // Only viewers who could like it themselves see their names.
  const named = photo.extra.may.comment
  const list = useInfiniteQuery({ ...likesQuery(photo.id), enabled: named && number > 0 })
  const people = rowsOf(list.data, ({ id }) => id)
  if (number === 0) return null
  return (
    <div className="grid gap-1">
      <button
        type="button"
        aria-expanded={open}
        disabled={!named}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 items-center gap-2 rounded-xl text-start text-sm font-semibold hover:bg-hover"
      >
        <Heart className="size-5 fill-current text-ember" />
        <span className="flex -space-x-1.5" aria-hidden="true">
          {people.slice(0, facesMax).map(person => (
            <Avatar key={person.id} src={person.user_avatar_url} size={24} className="border-2 border-paper" />
          ))}
        </span>
        {t('photo.likes', { count: number })}
      </button>
      {open && (
        <ul className="grid grid-cols-1 gap-1 ps-1 pb-2">
          {people.map(person => (
            <li key={person.id} className="flex items-center gap-2 py-1">
              <Avatar src={person.user_avatar_url} size={28} />
              <span className="truncate" dir="auto">
                {nameOf(person)}
              </span>
            </li>
          ))}
          <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
        </ul>
      )}
    </div>
  )
}
