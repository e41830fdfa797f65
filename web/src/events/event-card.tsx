import { MapPin } from 'lucide-react'
import { dayNumberOf, monthShortOf, timeOf } from '../app/date-format.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { EventPicture } from './event-picture.tsx'
import { cancelled, waitingOf, zoneOf } from './event-words.ts'
import type { Event } from './queries.ts'

/** An event in a list. */
export const EventCard = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const zone = zoneOf(event)
  return (
    <Link
      to="/events/:eventId"
      params={{ eventId: event.id }}
      className="flex items-stretch gap-4 overflow-hidden rounded-2xl border border-line bg-card p-2 shadow-card transition hover:bg-hover aria-[current=page]:border-ember aria-[current=page]:ring-1 aria-[current=page]:ring-ember"
    >
      <span className="relative size-[min(5.5rem,25vw)] shrink-0 overflow-hidden rounded-xl bg-sunken">
        <EventPicture event={event} small />
        <span className="absolute start-1.5 top-1.5 grid justify-items-center rounded-xl bg-card/95 px-2 py-1 leading-none shadow-card">
          <span className="text-xs font-semibold text-ember">{monthShortOf(event.event_starts_at, zone)}</span>
          <span className="text-xl font-bold">{dayNumberOf(event.event_starts_at, zone)}</span>
        </span>
      </span>
      <span className="grid min-w-0 flex-1 grid-cols-1 content-center gap-1">
        <span className="truncate font-display text-xl font-semibold" dir="auto">
          {event.event_name}
        </span>
        <span className="flex items-baseline gap-1 text-sm text-soft">
          <span className="shrink-0">{timeOf(event.event_starts_at, zone)}</span>
          {event.event_location && (
            <>
              {' · '}
              <MapPin className="size-3.5 shrink-0 self-center" aria-hidden="true" />
              <span className="truncate" dir="auto">
                {event.event_location}
              </span>
            </>
          )}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          {waitingOf(event) > 0 && (
            <span className="rounded-full bg-ember px-2 py-1 text-xs font-semibold text-on-ember">
              {t('waiting.count', { count: waitingOf(event) })}
            </span>
          )}
          {cancelled(event) ? (
            <span className="font-semibold text-bad">{t('event.cancelled')}</span>
          ) : (
            event.event_role !== 'none' && (
              <span className="font-medium text-ember">{t(`event.role.${event.event_role}`)}</span>
            )
          )}
        </span>
      </span>
    </Link>
  )
}
