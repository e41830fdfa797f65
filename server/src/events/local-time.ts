import { sentence } from '@afterglow/contract/words'
import { zoneHere } from '@afterglow/contract/zones'
import { invalid } from '../platform/http/refusals.ts'

/** When an event begins, and by which clock. */
export type Beginning = { starts_at: Date; timezone: string }

export const beginAlike = (one: Beginning, other: Beginning) =>
  one.timezone === other.timezone && one.starts_at.getTime() === other.starts_at.getTime()

const formats = new Map<string, Intl.DateTimeFormat>()
/** How far the zone is ahead of UTC at a moment, in milliseconds; before time zones, by seconds. */
export const aheadMs = (zone: string, at: number): number => {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone: zoneHere(zone), timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}

const dayMs = 24 * 60 * 60_000

/**
 * When a clock there shows this: of two times the first, and where the clock skips it, as if it had not been changed yet.
 */
const whenClockShows = (zone: string, clock: number) => {
  const [before, after] = [clock - dayMs, clock + dayMs].map(at => clock - aheadMs(zone, at)) as [number, number]
  return [before, after].find(at => at + aheadMs(zone, at) === clock) ?? before
}

/** Refuses a beginning after which something would be beyond the years that four digits name. */
const written = (at: Date) =>
  at.toISOString().length === '2026-01-01T00:00:00.000Z'.length ? at : invalid('event_starts_at', sentence.date)

/**
 * Moves what is planned for an event along with its beginning, by the clock on the wall: dinner at eight stays at eight,
 * also if the clocks are changed in between. What ends stays after what begins.
 */
export const movedWith = (from: Beginning, to: Beginning) => {
  const clockOf = ({ timezone }: Beginning, at: Date) => at.getTime() + aheadMs(timezone, at.getTime())
  const stays = beginAlike(from, to)
  const laterMs = clockOf(to, to.starts_at) - clockOf(from, from.starts_at)
  const moment = (at: Date) =>
    stays ? at : written(new Date(whenClockShows(to.timezone, clockOf(from, at) + laterMs)))
  return {
    moment,
    end: (end: Date, start: Date) => {
      const [moved, began] = [moment(end), moment(start).getTime()]
      return moved.getTime() > began ? moved : written(new Date(began + end.getTime() - start.getTime()))
    },
  }
}

type Timed = Beginning & { ends_at: Date | null }

/** When an event ends that begins at another time. */
export const endMoved = (from: Timed, to: Beginning) =>
  from.ends_at && movedWith(from, to).end(from.ends_at, from.starts_at)

/** An event with an open end is over a day after its beginning, as `events.over_at` says. */
export const overAt = ({ starts_at, ends_at }: Timed) => ends_at ?? new Date(starts_at.getTime() + dayMs)
