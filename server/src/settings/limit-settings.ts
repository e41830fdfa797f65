import type { Read } from './provider-settings.ts'
import { orNull, positiveNumber, type Setting, wholeNumber } from './setting.ts'

export type Limits = {
  /** Multiplies every rate limit; 1 in normal service. Load tests raise it, nothing else should. */
  rateFactor: number
  /** Sign-ins and registrations per minute from one network address, whatever the device. */
  signInsPerAddressPerMinute: number
  photosPerGuest: number
  photoBytesMax: number
  /** Never less than for any photo. */
  rawBytesMax: number
  photoPixelsMax: number
  videoBytesMax: number
  attachmentBytesMax: number
  videoSecondsMax: number
  /** The total of one person's files. */
  personBytesMax: number
  /** The limit for a guest who joined by a link with just a name; all guests of one link share twice a person's. */
  guestBytesMax: number
  /** The total of all files; null: as much as the disk holds. */
  instanceBytesMax: number | null
  /** Below this much free disk space, uploads are refused. */
  freeBytesMin: number
}

const megabyte = 1024 * 1024
const gigabyte = 1024 * megabyte
const gigabytesOrNull = (count: number | null) => (count === null ? null : count * gigabyte)
const megapixel = 1_000_000

/** Limits on requests and storage. */
export const limitSettings = {
  RATE_LIMIT_FACTOR: {
    default: '1',
    meaning: 'multiplies every rate limit; only for load tests',
    allowed: 'a number above 0, at most 1000000',
    form: positiveNumber(1_000_000),
  },
  SIGN_INS_PER_ADDRESS: {
    default: '300',
    meaning: 'sign-ins and registrations a minute from one network address',
    allowed: 'a whole number from 1 to 1000000',
    form: wholeNumber(1, 1_000_000),
  },
  PHOTOS_PER_GUEST: {
    default: '200',
    meaning: 'photos one guest may add to one event',
    allowed: 'a whole number from 0 to 1000000',
    form: wholeNumber(0, 1_000_000),
  },
  PHOTO_MB_MAX: {
    default: '50',
    meaning: 'largest photo, in MiB',
    allowed: 'a whole number from 1 to 1024',
    form: wholeNumber(1, 1024),
  },
  RAW_MB_MAX: {
    default: '256',
    meaning: 'largest RAW, in MiB; where PHOTO_MB_MAX is more, that',
    allowed: 'a whole number from 1 to 1024',
    form: wholeNumber(1, 1024),
  },
  PHOTO_MEGAPIXELS_MAX: {
    default: '100',
    meaning: 'largest photo, in megapixels',
    allowed: 'a whole number from 1 to 1000',
    form: wholeNumber(1, 1000),
  },
  VIDEO_MB_MAX: {
    default: '2048',
    meaning: 'largest video, in MiB',
    allowed: 'a whole number from 1 to 1048576',
    form: wholeNumber(1, 1_048_576),
  },
  ATTACHMENT_MB_MAX: {
    default: '25',
    meaning: 'largest image in a message, in MiB',
    allowed: 'a whole number from 1 to 1024',
    form: wholeNumber(1, 1024),
  },
  VIDEO_MINUTES_MAX: {
    default: '60',
    meaning: 'longest video, in minutes',
    allowed: 'a whole number from 1 to 1440',
    form: wholeNumber(1, 1440),
  },
  PERSON_GB_MAX: {
    default: '100',
    meaning: 'all files of one person, in GiB, what they deleted until it is gone included',
    allowed: 'a whole number from 1 to 1000000',
    form: wholeNumber(1, 1_000_000),
  },
  GUEST_GB_MAX: {
    default: '10',
    meaning: 'all files of one guest without an account, in GiB; the guests of one link together: twice PERSON_GB_MAX',
    allowed: 'a whole number from 1 to 1000000',
    form: wholeNumber(1, 1_000_000),
  },
  INSTANCE_GB_MAX: {
    default: '',
    meaning: 'all files together, in GiB; unset: as many as there is room for',
    allowed: 'a whole number from 1 to 1000000',
    form: orNull(wholeNumber(1, 1_000_000)),
  },
  FREE_MB_MIN: {
    default: '1024',
    meaning: 'free disk, in MiB, below which uploads are refused and everything else goes on',
    allowed: 'a whole number from 0 to 1000000',
    form: wholeNumber(0, 1_000_000),
  },
} satisfies Record<string, Setting<unknown>>

export const readLimits = (read: Read): Limits => ({
  rateFactor: read('RATE_LIMIT_FACTOR', limitSettings.RATE_LIMIT_FACTOR),
  signInsPerAddressPerMinute: read('SIGN_INS_PER_ADDRESS', limitSettings.SIGN_INS_PER_ADDRESS),
  photosPerGuest: read('PHOTOS_PER_GUEST', limitSettings.PHOTOS_PER_GUEST),
  photoBytesMax: read('PHOTO_MB_MAX', limitSettings.PHOTO_MB_MAX) * megabyte,
  rawBytesMax:
    Math.max(read('RAW_MB_MAX', limitSettings.RAW_MB_MAX), read('PHOTO_MB_MAX', limitSettings.PHOTO_MB_MAX)) * megabyte,
  photoPixelsMax: read('PHOTO_MEGAPIXELS_MAX', limitSettings.PHOTO_MEGAPIXELS_MAX) * megapixel,
  videoBytesMax: read('VIDEO_MB_MAX', limitSettings.VIDEO_MB_MAX) * megabyte,
  attachmentBytesMax: read('ATTACHMENT_MB_MAX', limitSettings.ATTACHMENT_MB_MAX) * megabyte,
  videoSecondsMax: read('VIDEO_MINUTES_MAX', limitSettings.VIDEO_MINUTES_MAX) * 60,
  personBytesMax: read('PERSON_GB_MAX', limitSettings.PERSON_GB_MAX) * gigabyte,
  guestBytesMax: read('GUEST_GB_MAX', limitSettings.GUEST_GB_MAX) * gigabyte,
  instanceBytesMax: gigabytesOrNull(read('INSTANCE_GB_MAX', limitSettings.INSTANCE_GB_MAX)),
  freeBytesMin: read('FREE_MB_MIN', limitSettings.FREE_MB_MIN) * megabyte,
})
