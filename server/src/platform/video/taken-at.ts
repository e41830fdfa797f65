/** When a video was recorded; `offsetMinutes` null: its clock's zone is not told. */
export type TakenAt = { at: Date; offsetMinutes: number | null }

const form = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * Out of a container's tags: Apple's with the zone where it was recorded, else the moment in UTC that others write.
 * Null for none and for a clock that was never set.
 */
export const takenAtIn = (tags: Record<string, string>): TakenAt | null =>
  read(tags['com.apple.quicktime.creationdate'], true) ?? read(tags.creation_time, false)

const read = (text: string | undefined, zoned: boolean): TakenAt | null => {
  const [, day, time, zone = 'Z'] = form.exec(text ?? '') ?? []
  if (!day || !time) return null
  const at = new Date(`${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`)
  // An unset clock counts from 1904 in these containers, or from 1970 in what wrote them.
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() <= 1970) return null
  return { at, offsetMinutes: zoned && zone !== 'Z' ? minutesOf(zone) : null }
}

const minutesOf = (zone: string) => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
