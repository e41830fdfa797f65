import { longDayOf, timeOf, weekdayOf } from '../app/moments.ts'
import { t } from '../app/words.ts'
import type { Event } from './queries.ts'

export const cancelled = (event: Event) => event.event_status === 2
/** In it, so that its chat and photos are open. */
export const isIn = (event: Event) => event.event_role === 'organizer' || event.event_role === 'guest'

/** When it is, on the clock of where it is. */
type Timed = Pick<Event, 'event_starts_at' | 'event_ends_at' | 'event_timezone'>

export const whenOf = (event: Timed): string => {
  const zone = event.event_timezone
  const starts = `${longDayOf(event.event_starts_at, zone)}, ${timeOf(event.event_starts_at, zone)}`
  if (!event.event_ends_at) return starts
  return t('event.fromTo', { from: starts, to: `${endDayOf(event)}${timeOf(event.event_ends_at, zone)}` })
}

const weekMs = 6 * 24 * 60 * 60_000

/** Nothing on the same day; of an end within the week its weekday says enough. */
const endDayOf = ({ event_starts_at, event_ends_at, event_timezone: zone }: Timed): string => {
  if (!event_ends_at) return ''
  const last = longDayOf(event_ends_at, zone)
  if (last === longDayOf(event_starts_at, zone)) return ''
  const soon = Date.parse(event_ends_at) - Date.parse(event_starts_at) < weekMs
  return `${soon ? weekdayOf(event_ends_at, zone) : last}, `
}

/** Names the zone when it is not the reader's. */
export const zoneHint = (event: Event): string | undefined => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return event.event_timezone === own ? undefined : event.event_timezone.replaceAll('_', ' ')
}
