import { type Environment, orNull, positiveNumber, readerOf, setting, wholeNumber } from './setting.ts'

const megabyte = 1024 * 1024
const gigabyte = 1024 * megabyte
const gigabytesOrNull = (count: number | null) => (count === null ? null : count * gigabyte)
const megapixel = 1_000_000
const count = wholeNumber(1, 1_000_000)
const megabytes = wholeNumber(1, 1024)

/** Limits on requests and storage. */
export const limitSettings = {
  RATE_LIMIT_FACTOR: setting('multiplies every rate limit; only for load tests', positiveNumber(1_000_000), '1'),
  SIGN_INS_PER_ADDRESS: setting('sign-ins and registrations a minute from one network address', count, '300'),
  PHOTOS_PER_GUEST: setting('photos one guest may add to one event', wholeNumber(0, 1_000_000), '200'),
  PHOTO_MB_MAX: setting('largest photo, in MiB', megabytes, '50'),
  RAW_MB_MAX: setting('largest RAW, in MiB; where PHOTO_MB_MAX is more, that', megabytes, '256'),
  PHOTO_MEGAPIXELS_MAX: setting('largest photo, in megapixels', wholeNumber(1, 1000), '100'),
  VIDEO_MB_MAX: setting('largest video, in MiB', wholeNumber(1, 1_048_576), '2048'),
  ATTACHMENT_MB_MAX: setting('largest image in a message, in MiB', megabytes, '25'),
  VIDEO_MINUTES_MAX: setting('longest video, in minutes', wholeNumber(1, 1440), '60'),
  PERSON_GB_MAX: setting('all files of one person, in GiB, what they deleted until it is gone included', count, '100'),
  GUEST_GB_MAX: setting(
    'all files of one guest without an account, in GiB; the guests of one link together: twice PERSON_GB_MAX',
    count,
    '10',
  ),
  INSTANCE_GB_MAX: setting('all files together, in GiB; unset: as many as there is room for', orNull(count)),
  FREE_MB_MIN: setting(
    'free disk, in MiB, below which uploads are refused and everything else goes on',
    wholeNumber(0, 1_000_000),
    '1024',
  ),
}

export function readLimits(env: Environment) {
  const read = readerOf(limitSettings, env)
  return {
    rateFactor: read('RATE_LIMIT_FACTOR'),
    signInsPerAddressPerMinute: read('SIGN_INS_PER_ADDRESS'),
    photosPerGuest: read('PHOTOS_PER_GUEST'),
    photoBytesMax: read('PHOTO_MB_MAX') * megabyte,
    rawBytesMax: Math.max(read('RAW_MB_MAX'), read('PHOTO_MB_MAX')) * megabyte,
    photoPixelsMax: read('PHOTO_MEGAPIXELS_MAX') * megapixel,
    videoBytesMax: read('VIDEO_MB_MAX') * megabyte,
    attachmentBytesMax: read('ATTACHMENT_MB_MAX') * megabyte,
    videoSecondsMax: read('VIDEO_MINUTES_MAX') * 60,
    personBytesMax: read('PERSON_GB_MAX') * gigabyte,
    guestBytesMax: read('GUEST_GB_MAX') * gigabyte,
    /** null: as much as the disk holds. */
    instanceBytesMax: gigabytesOrNull(read('INSTANCE_GB_MAX')),
    freeBytesMin: read('FREE_MB_MIN') * megabyte,
  }
}
