import { isClockWrong } from '../media/pictures/capture-time.ts'
import type { CaptureTime } from '../media/pictures/exif.ts'

const form = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d))?$/

/**
 * When a video was recorded, from its container's tags: Apple's, with local time and offset, else the UTC time that
 * others write. Null if there is none and for a clock that was never set.
 */
export const takenIn = (tags: Record<string, string>): CaptureTime | null =>
  read(tags['com.apple.quicktime.creationdate']) ?? read(tags.creation_time)

const read = (text: string | undefined): CaptureTime | null => {
  const [, day, time, hours = '+00', minutes = '00'] = form.exec(text ?? '') ?? []
  if (!day || !time) return null
  const taken = { local: `${day}T${time}`, offset: `${hours}:${minutes}` }
  const moment = new Date(taken.local + taken.offset)
  if (Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1904) return null
  return isClockWrong(moment.toISOString()) || isClockWrong(taken.local) ? null : taken
}
