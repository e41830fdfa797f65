import { Globe, Link2, Lock } from 'lucide-react'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'

/** Who sees it, and how one joins. */
export const Openness = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const Seen = { 1: Globe, 2: Link2, 3: Lock }[event.event_visibility] ?? Globe
  return (
    <p className="flex items-center gap-2 text-sm text-soft">
      <Seen className="size-4 shrink-0" />
      <span className="sr-only">{t('event.who')}</span>
      {t(`event.visibility.${event.event_visibility as 1 | 2 | 3}`)} ·{' '}
      {t(`event.joinMode.${event.event_join_mode as 1 | 2 | 3}`)}
    </p>
  )
}
