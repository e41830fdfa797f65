import { Hourglass } from 'lucide-react'
import { spanOf } from '../app/date-format.ts'
import { useWords } from '../app/words.ts'
import { zoneOf } from './event-words.ts'
import type { Event } from './queries.ts'

/** Until everybody sees the photos: when that is. */
export const RevealLine = ({ event, className = '' }: { event: Event; className?: string }) => {
  const { t } = useWords()
  const { event_photos_shown: shown, event_reveals_at: at } = event.extra
  if (shown === 'at_once') return null
  return (
    <p className={`flex items-center gap-2 text-sm text-soft ${className}`}>
      <Hourglass className="size-4 shrink-0" aria-hidden="true" />
      {at ? t('reveal.at', { when: spanOf(at, null, zoneOf(event)) }) : t('reveal.sometime')}
    </p>
  )
}
