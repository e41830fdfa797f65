import type { CaptureTime } from './exif.ts'

/** Clocks of computers and cameras begin at these times, in any zone: one that shows such a time was never set. */
const clocksBegin = /^(?:1904-|1970-|1903-12-31|1969-12-31|1979-12-31|1980-01-01|2000-01-01T00:00:00)/
const yearMs = 366 * 24 * 60 * 60_000

/**
 * Tells whether a clock that shows this was never set, or was set far ahead: nothing is taken a year after its upload,
 * and it would stay the newest of its album.
 */
export const isClockWrong = (local: string, now = Date.now()): boolean =>
  clocksBegin.test(local) || Date.parse(`${local.slice(0, 19)}Z`) > now + yearMs

/**
 * The moment that a camera's clock showed. A camera that does not state its offset from UTC is assumed to be set to
 * `zone`, where the event takes place; without a zone, to UTC.
 */
export const momentOf = ({ local, offset }: CaptureTime, zone: string | null): Date => {
  if (offset !== null || zone === null) return new Date(`${local}${offset ?? 'Z'}`)
  const wall = Date.parse(`${local}Z`)
  // The zone's offset from UTC at about that time, then at the time computed with it: they differ where clocks change.
  const first = wall - distanceOf(zone, wall)
  return new Date(wall - distanceOf(zone, first))
}

/** The offset of a zone's clocks from UTC at a moment, in milliseconds. */
const distanceOf = (zone: string, moment: number): number => {
  const whole = Math.floor(moment / 1000) * 1000
  return Date.parse(`${new Date(whole).toLocaleString('sv', { timeZone: zone })}Z`) - whole
}

/** The camera's clock reading, with its offset if known: used in the name of a downloaded file. */
export const localOf = ({ local, offset }: CaptureTime): string => `${local.slice(0, 19)}${offset ?? ''}`
