import { useInfiniteQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { count } from '../../app/date-format.ts'
import { ours } from '../../app/public-path.ts'
import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { photosQuery } from '../queries.ts'

const nameOf = (eventId: number) => `${ours}.album.seen.${session.get()?.userId}.${eventId}`

type Props = { eventId: number; className: string; onShow(): void }

/** How many photos others have added since the viewer was last here, with a link to them. */
export const NewSince = ({ eventId, className, onShow }: Props) => {
  const { t } = useWords()
  const list = useInfiniteQuery(photosQuery(eventId))
  const [since] = useState(() => localStorage.getItem(nameOf(eventId)))
  const newest = rowsOf(list.data, ({ id }) => id)
  const last = newest[0]?.created_at
  useEffect(() => {
    if (last) localStorage.setItem(nameOf(eventId), last)
  }, [eventId, last])
  const fresh = since ? newest.filter(({ created_at }) => created_at > since) : []
  const others = fresh.filter(({ taken_by }) => taken_by.id !== session.get()?.userId).length
  if (others === 0) return null
  const isMore = fresh.length === newest.length && list.hasNextPage
  return (
    <button type="button" className={className} onClick={onShow}>
      <Sparkles />
      {t('gallery.newSince', { count: others, number: `${count(others)}${isMore ? '+' : ''}` })}
    </button>
  )
}
