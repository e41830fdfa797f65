import { spanOf } from '../app/date-format.ts'
import { ownZone, zoneOr } from '../app/time-zones.ts'
import type { Event } from './queries.ts'

export const cancelled = (event: Event) => event.event_status === 2
/** Is in the event, so its chat and photos are accessible. */
export const isIn = (event: Event) => event.extra.may.read

/** Only adds photos, and sees just their own. */
export const onlyAdds = ({ extra: { may } }: Event) => may.upload && !may.album && !may.read

/** Has not begun, so that answers count. */
export const isAhead = (event: Pick<Event, 'event_starts_at'>) => new Date(event.event_starts_at) > new Date()

/** As the event itself says it, or a link to it. */
export type Timed = Pick<Event, 'event_starts_at' | 'event_ends_at' | 'event_timezone'> & {
  event_timezone_offset?: string
  extra?: Pick<Event['extra'], 'timezone_offset'>
}

/** The venue's clock. */
export const zoneOf = ({ event_timezone, event_timezone_offset, extra }: Timed): string =>
  zoneOr(event_timezone, extra?.timezone_offset ?? event_timezone_offset)

/** When it takes place, in the local time of the venue. */
export const whenOf = (event: Timed): string => spanOf(event.event_starts_at, event.event_ends_at, zoneOf(event))

/** Names the time zone if it is not the reader's. */
export const zoneHint = (event: Timed): string | undefined =>
  event.event_timezone === ownZone() ? undefined : event.event_timezone.replaceAll('_', ' ')

type Waiting = Event['extra']['waiting'][number]

/** How many of these wait for the viewer, as the service counts them; of all kinds by default. */
export const waitingOf = (event: Pick<Event, 'extra'>, kind?: Waiting['waiting_kind']) =>
  event.extra.waiting
    .filter(each => kind === undefined || each.waiting_kind === kind)
    .reduce((sum, each) => sum + each.waiting_count, 0)
