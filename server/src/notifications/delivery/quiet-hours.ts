/* Quiet hours in a device's time zone, across midnight and both clock changes. */

import { zoneHere } from '@afterglow/contract/zones'

/** Minutes of the day; equal values mean all day. */
export type QuietHours = { from: number; until: number }

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const formats = new Map<string, Intl.DateTimeFormat>()
const formatsMax = 1000
const formatOf = (zone: string) => {
  let format = formats.get(zone)
  if (!format) {
    if (formats.size >= formatsMax) formats.clear()
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    format = new Intl.DateTimeFormat('en', { timeZone: zoneHere(zone), hourCycle: 'h23', ...parts })
    formats.set(zone, format)
  }
  return format
}

/** A time zone's wall clock at a moment, as if it were UTC; to the minute. */
const clockAt = (at: number, zone: string): number => {
  const { year, month, day, hour, minute } = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>
  return Date.UTC(year, month - 1, day, hour, minute)
}

/**
 * The first moment at which a time zone's clock shows this; a time skipped by a clock change is that long after the
 * change.
 */
export const momentOf = (clock: number, zone: string): number => {
  const before = clock - (clockAt(clock - dayMs, zone) - (clock - dayMs))
  const after = clock - (clockAt(clock + dayMs, zone) - (clock + dayMs))
  const shown = [before, after].filter(at => clockAt(at, zone) === clock)
  return shown.length > 0 ? Math.min(...shown) : Math.max(before, after)
}

/** The first time after a moment that a time zone's clock shows this minute of a day. */
export const nextAt = (minute: number, zone: string, after: number): number => {
  const midnight = Math.floor(clockAt(after, zone) / dayMs) * dayMs
  const today = momentOf(midnight + minute * minuteMs, zone)
  return today > after ? today : momentOf(midnight + dayMs + minute * minuteMs, zone)
}

/** When the quiet hours that contain a moment end; undefined if none do. */
export const quietUntil = ({ from, until }: QuietHours, zone: string, now: number): number | undefined => {
  const clock = clockAt(now, zone)
  const midnight = Math.floor(clock / dayMs) * dayMs
  const minute = (clock - midnight) / minuteMs
  const over = from >= until
  const quiet = over ? minute >= from || minute < until : minute >= from && minute < until
  if (!quiet) return undefined
  const day = over && minute >= from && minute >= until ? midnight + dayMs : midnight
  const end = momentOf(day + until * minuteMs, zone)
  return end > now ? end : momentOf(day + dayMs + until * minuteMs, zone)
}

export const isAllDay = ({ from, until }: QuietHours) => from === until
