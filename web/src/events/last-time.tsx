import { useQuery } from '@tanstack/react-query'
import { ChevronRight, History } from 'lucide-react'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { isIn } from './event-words.ts'
import { eventQuery } from './queries.ts'

/** The album of the event that this one repeats, for those who were there. */
export const LastTime = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const { data: event } = useQuery({ ...eventQuery(eventId), retry: false })
  if (!event || !isIn(event)) return null
  return (
    <Link
      to="/events/:eventId/photos"
      params={{ eventId }}
      className="flex items-center gap-3 rounded-2xl border border-line bg-card px-4 py-3 font-semibold shadow-card hover:bg-hover"
    >
      <History className="size-5 shrink-0 text-ember" aria-hidden="true" />
      <span className="flex-1 wrap-anywhere">{t('again.album', { name: event.event_name })}</span>
      <ChevronRight className="size-5 text-soft rtl:-scale-x-100" aria-hidden="true" />
    </Link>
  )
}
