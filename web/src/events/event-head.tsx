import { CalendarDays, MapPin } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { EventPicture } from './event-picture.tsx'
import { type Timed, whenOf, zoneHint } from './event-words.ts'
import { mapOf } from './map.ts'
import type { Event } from './queries.ts'

/* The head of an event, alike wherever it is shown whole: its cover with the name, when, where, and its host's words. */

type Covered = Pick<Event, 'event_name' | 'event_avatar_url'> & { id: number }

const longName = 40

/** The cover with the name over its foot; it grows with a long name, or with large text. */
export const EventCover = ({
  event,
  onCover,
  large = false,
  className = '',
  children,
}: {
  event: Covered
  onCover?(picture: HTMLImageElement): void
  /** Half of a desktop's window is for it. */
  large?: boolean
  className?: string
  /** Over the picture, below the name. */
  children?: ReactNode
}) => (
  <div className={`relative grid items-end overflow-hidden bg-sunken ${className}`}>
    <div className="absolute inset-0">
      <EventPicture event={event} first onCover={onCover} />
      {children}
    </div>
    <div className="relative bg-linear-to-t from-black/80 via-black/50 to-transparent px-4 pt-16 pb-4 text-white lg:px-8 lg:pb-8">
      <h1
        className={`font-display font-semibold text-balance wrap-anywhere ${event.event_name.length > longName ? 'text-2xl' : `text-3xl ${large ? 'lg:text-4xl' : ''}`}`}
        dir="auto"
      >
        {event.event_name}
      </h1>
    </div>
  </div>
)

type Placed = Timed & Pick<Event, 'event_location'>

/** Below the cover: when it takes place, where, and whatever else is known of it at a glance. */
export const EventLines = ({ event, children }: { event: Placed; children?: ReactNode }) => {
  const { t } = useWords()
  const zone = zoneHint(event)
  return (
    <div className="grid grid-cols-1 gap-1 wrap-anywhere">
      <p>
        <CalendarDays className={mark} aria-hidden="true" />
        <span className="font-semibold">{whenOf(event)}</span>
        {zone && <span className="text-sm text-soft"> · {t('event.zone', { zone })}</span>}
      </p>
      {event.event_location && (
        <p>
          <MapPin className={mark} aria-hidden="true" />
          <a
            href={mapOf(event.event_location)}
            target="_blank"
            rel="noreferrer"
            className="inline-block py-1 underline decoration-line underline-offset-4 hover:decoration-current"
            dir="auto"
          >
            {event.event_location}
          </a>
        </p>
      )}
      {children}
    </div>
  )
}
const mark = 'me-2 mb-1 inline size-4.5 text-ember'

/** The host's words: five lines, and the rest on a tap. */
export const HostWords = ({ text }: { text: string }) => {
  const { t } = useWords()
  const [shown, setShown] = useState<'start' | 'cut' | 'whole'>('start')
  const measure = (element: HTMLElement | null) => {
    if (element && shown === 'start' && element.scrollHeight > element.clientHeight + 1) setShown('cut')
  }
  return (
    <div className="grid justify-items-start">
      <p
        ref={measure}
        className={`whitespace-pre-wrap text-pretty wrap-anywhere ${shown === 'whole' ? '' : 'line-clamp-5'}`}
        dir="auto"
      >
        {text}
      </p>
      {shown === 'cut' && (
        <Button look="bare" size="small" className="-ms-3.5" onClick={() => setShown('whole')}>
          {t('invitation.more')}
        </Button>
      )}
    </div>
  )
}
