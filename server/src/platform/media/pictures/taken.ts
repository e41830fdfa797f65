import type { Taken } from './exif.ts'

/**
 * The moment that a camera's clock showed. A camera that does not state its offset from UTC is assumed to be set to
 * `zone`, where the event takes place; without a zone, to UTC.
 */
export const momentOf = ({ local, offset }: Taken, zone: string | null): Date => {
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
export const localOf = ({ local, offset }: Taken): string => `${local.slice(0, 19)}${offset ?? ''}`
