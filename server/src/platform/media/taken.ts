import type { Taken } from './exif.ts'

/**
 * The moment that a camera's clock showed. A camera that does not say how far its clock is from UTC is taken to be set to
 * `zone`, where the event is; without a zone, to UTC.
 */
export const momentOf = ({ local, offset }: Taken, zone: string | null): Date => {
  if (offset !== null || zone === null) return new Date(`${local}${offset ?? 'Z'}`)
  const wall = Date.parse(`${local}Z`)
  // The zone's distance from UTC at about that time, then at the time found with it: they differ where clocks change.
  const first = wall - distanceOf(zone, wall)
  return new Date(wall - distanceOf(zone, first))
}

/** How far the clocks of a zone are before UTC at a moment, in milliseconds. */
const distanceOf = (zone: string, moment: number): number => {
  const whole = Math.floor(moment / 1000) * 1000
  return Date.parse(`${new Date(whole).toLocaleString('sv', { timeZone: zone })}Z`) - whole
}

/** As the camera's clock showed it, with its offset where known: what a downloaded file is named after. */
export const localOf = ({ local, offset }: Taken): string => `${local.slice(0, 19)}${offset ?? ''}`
