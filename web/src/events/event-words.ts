import { spanOf } from '../app/moments.ts'
import type { Event } from './queries.ts'

export const cancelled = (event: Event) => event.event_status === 2
/** Is in the event, so its chat and photos are accessible. */
export const isIn = (event: Event) => event.event_role === 'organizer' || event.event_role === 'guest'

/** When it takes place, in the local time of the venue. */
type Timed = Pick<Event, 'event_starts_at' | 'event_ends_at' | 'event_timezone'>

export const whenOf = ({ event_starts_at, event_ends_at, event_timezone }: Timed): string =>
  spanOf(event_starts_at, event_ends_at, event_timezone)

/** Names the time zone if it is not the reader's. */
export const zoneHint = (event: Event): string | undefined => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return event.event_timezone === own ? undefined : event.event_timezone.replaceAll('_', ' ')
}
