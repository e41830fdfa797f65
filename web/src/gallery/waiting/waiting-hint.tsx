import { ChevronRight, ImageUp } from 'lucide-react'
import { Link } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { waitingOf } from '../../events/event-words.ts'
import type { Event } from '../../events/queries.ts'

/** Tells those who may approve photos how many wait. */
export const WaitingHint = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const count = waitingOf(event, 'photos')
  if (count === 0) return null
  return (
    <Link
      to="/events/:eventId/waiting"
      params={{ eventId: event.id }}
      className="flex items-center gap-3 rounded-2xl bg-glow px-4 py-3 font-semibold text-on-glow"
    >
      <ImageUp className="size-6 shrink-0" />
      <span className="flex-1">{t('waiting.hint', { count })}</span>
      <ChevronRight className="size-5 rtl:-scale-x-100" />
    </Link>
  )
}
