import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, ImageUp } from 'lucide-react'
import { rowsOf } from '../../app/cache/pages.ts'
import { Link } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { waitingQuery } from '../queries.ts'

/** Tells those who may approve photos that some wait. */
export const WaitingHint = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const { data } = useInfiniteQuery(waitingQuery(eventId))
  const photos = rowsOf(data, ({ id }) => id)
  if (photos.length === 0) return null
  return (
    <Link
      to="/events/:eventId/waiting"
      params={{ eventId }}
      className="flex items-center gap-3 rounded-2xl bg-glow px-4 py-3 font-semibold text-on-glow"
    >
      <ImageUp className="size-6 shrink-0" aria-hidden="true" />
      <span className="flex-1">{t('waiting.hint', { count: photos.length })}</span>
      <ChevronRight className="size-5 rtl:-scale-x-100" aria-hidden="true" />
    </Link>
  )
}
