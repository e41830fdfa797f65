import ExifReader from 'exifreader'
import { isClockWrong } from './capture-time.ts'

/** The capture time: the camera's own clock, and its offset from UTC if the camera states it (`+01:00`). */
export type CaptureTime = { local: string; offset: string | null }
/** In degrees, north and east. */
export type GeoLocation = { latitude: number; longitude: number }
export type CaptureData = { taken: CaptureTime | null; place: GeoLocation | null }

/** A file's metadata, as a decoder hands it out besides the pixels. */
export type Metadata = {
  exif?: Buffer | undefined
  xmp?: Buffer | undefined
  iptc?: Buffer | undefined
  /** PNG only. */
  comments?: readonly { keyword: string; text: string }[] | undefined
}

// The exposure time first, then the time of digitizing, then of the last change; each with its own offset.
const times = [
  ['DateTimeOriginal', 'OffsetTimeOriginal', 'SubSecTimeOriginal'],
  ['DateTimeDigitized', 'OffsetTimeDigitized', 'SubSecTimeDigitized'],
  ['DateTime', 'OffsetTime', 'SubSecTime'],
] as const
const satellites = ['GPSDateStamp', 'GPSTimeStamp'] as const
const places = ['GPSLatitude', 'GPSLatitudeRef', 'GPSLongitude', 'GPSLongitudeRef'] as const

type Tags = Record<string, { value?: unknown } | undefined>

/**
 * When and where a picture was taken: from its EXIF block, and the time also from what programs write instead; null for
 * anything missing, blank, damaged or impossible.
 */
export function readMetadata({ exif, ...beside }: Metadata): CaptureData {
  const { taken, place } = readExif(exif)
  return { taken: taken ?? takenBeside(beside), place }
}

export function readExif(exif: Buffer | undefined): CaptureData {
  const tags = exif ? tagsOf(exif) : {}
  return { taken: takenOf(tags), place: placeOf(tags) }
}

function tagsOf(exif: Buffer): Tags {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  try {
    // Reads nothing else: no maker notes, thumbnails, profiles or XML.
    return ExifReader.load(tiff, {
      includeTags: { exif: [...times.flat(), ...satellites, ...places] },
    }) as unknown as Tags
  } catch {
    return {}
  }
}

function takenOf(tags: Tags): CaptureTime | null {
  for (const [time, offset, fraction] of times) {
    const local = localOf(textOf(tags[time]), textOf(tags[fraction]))
    if (!local) continue
    // Some cameras state the offset by the satellites' clock, others that of one of their times only.
    const own = offsetOf(textOf(tags[offset])) ?? offsetBySatellite(tags, local)
    const others = times.map(([, each]) => offsetOf(textOf(tags[each])))
    return { local, offset: own ?? others.find(each => each !== null) ?? null }
  }
  return null
}

const quarterMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000
/** A fix may be that old. */
const fixMsMax = 5 * 60_000

/** Satellites tell the time in UTC: its distance from the camera's clock, in quarters of an hour. */
function offsetBySatellite(tags: Tags, local: string): string | null {
  const [hours, minutes, seconds] = fractionsOf(tags.GPSTimeStamp)
  const day = /^(\d{4})[:/.-](\d\d)[:/.-](\d\d)/.exec(textOf(tags.GPSDateStamp))?.slice(1).join('-')
  const midnight = Date.parse(`${day ?? local.slice(0, 10)}T00:00:00Z`)
  const told = midnight + (((hours ?? Number.NaN) * 60 + (minutes ?? Number.NaN)) * 60 + (seconds ?? 0)) * 1000
  let apart = Date.parse(`${local}Z`) - told
  if (day === undefined) apart -= Math.round(apart / dayMs) * dayMs
  const offset = Math.round(apart / quarterMs) * quarterMs
  if (!(Math.abs(apart - offset) <= fixMsMax && offset >= -12 * 4 * quarterMs && offset <= 14 * 4 * quarterMs))
    return null
  const two = (number: number) => String(number).padStart(2, '0')
  const total = Math.abs(offset) / 60_000
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(total / 60))}:${two(total % 60)}`
}

const xmpNames = [
  'exif:DateTimeOriginal',
  'photoshop:DateCreated',
  'xmp:CreateDate',
  'xap:CreateDate',
  'exif:DateTimeDigitized',
]
const textNames = /^(?:creation time|exif:datetimeoriginal|datetimeoriginal)$/i

function takenBeside({ xmp, iptc, comments = [] }: Omit<Metadata, 'exif'>): CaptureTime | null {
  const packet = xmp?.toString('latin1') ?? ''
  const texts = [
    ...xmpNames.map(name => new RegExp(`\\b${name}\\s*(?:=\\s*["']|>\\s*)([^"'<]{10,40})`).exec(packet)?.[1]),
    ...(iptc ? [iptcTime(iptc, 55, 60), iptcTime(iptc, 62, 63)] : []),
    ...comments.filter(({ keyword }) => textNames.test(keyword)).map(({ text }) => isoOf(text)),
  ]
  for (const text of texts) {
    const taken = text === undefined ? null : takenIn(text)
    if (taken) return taken
  }
  return null
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** As mails write a time: `Sun, 21 Jun 2026 23:04:11 +0200`; anything else stays as it is. */
function isoOf(text: string): string {
  const match =
    /^(?:\w{3}, )?(\d{1,2}) (\w{3})\w* (\d{4}) (\d\d:\d\d(?::\d\d)?)\s*(?:([+-]\d\d):?(\d\d)|GMT|UTC|Z)?/.exec(text)
  if (!match) return text
  const [, day = '', month = '', year, time, hours, minutes] = match
  const number = String(months.indexOf(month) + 1).padStart(2, '0')
  return `${year}-${number}-${day.padStart(2, '0')}T${time}${hours ? `${hours}:${minutes}` : ''}`
}

/** Numbered fields of the IPTC record: a day and a time of that day. */
function iptcTime(iptc: Buffer, day: number, time: number): string | undefined {
  const field = (number: number) => {
    const at = iptc.indexOf(Buffer.from([0x1c, 2, number]))
    return at < 0 || at + 5 > iptc.length ? '' : iptc.toString('latin1', at + 5, at + 5 + iptc.readUInt16BE(at + 3))
  }
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)/.exec(field(day)) ?? []
  const [, hour, minute, second, hours, minutes] = /^(\d\d)(\d\d)(\d\d)(?:([+-]\d\d)(\d\d))?/.exec(field(time)) ?? []
  if (!year || !hour) return undefined
  return `${year}-${month}-${date}T${hour}:${minute}:${second}${hours ? `${hours}:${minutes}` : ''}`
}

/** An ISO time, or EXIF's form of one, possibly with its offset. */
function takenIn(text: string): CaptureTime | null {
  const [, minute = '', seconds = ':00', fraction = '', offset = ''] =
    /^(\d{4}[:/.-]\d\d[:/.-]\d\d[ T]\d\d:\d\d)(:\d\d)?(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?/.exec(text.trim()) ?? []
  const local = localOf(minute + seconds, fraction)
  return local === null
    ? null
    : { local, offset: offset === 'Z' ? '+00:00' : offsetOf(offset.replace(/^(...)(\d\d)$/, '$1:$2')) }
}

/** Old scanners separate a day's parts by slashes or dots, and some phones count the hour after midnight as the 24th. */
function localOf(text: string, fraction: string): string | null {
  const match = /^(\d{4})([:/.-])(\d\d)\2(\d\d)[ T](\d\d)(:\d\d:\d\d)/.exec(text)
  if (!match || Number(match[1]) < 1900) return null // cameras without a set clock write zeros
  const [, year, , month, day, hour, rest] = match
  const milliseconds = /^\d+/.exec(fraction)?.[0].padEnd(3, '0').slice(0, 3) ?? '000'
  const isAfterMidnight = hour === '24'
  const local = `${year}-${month}-${day}T${isAfterMidnight ? '00' : hour}${rest}.${milliseconds}`
  const date = new Date(`${local}Z`)
  // 31 February would become a day in March.
  if (!Number.isFinite(date.getTime()) || date.toISOString() !== `${local}Z` || isClockWrong(local)) return null
  return isAfterMidnight ? new Date(date.getTime() + dayMs).toISOString().slice(0, -1) : local
}

function offsetOf(text: string): string | null {
  const match = /^([+-])(\d\d):([0-5]\d)$/.exec(text.trim())
  return match && Number(match[2]) * 60 + Number(match[3]) <= 14 * 60 ? match[0] : null
}

function placeOf(tags: Tags): GeoLocation | null {
  const latitude = degreesOf(tags.GPSLatitude, textOf(tags.GPSLatitudeRef) === 'S')
  const longitude = degreesOf(tags.GPSLongitude, textOf(tags.GPSLongitudeRef) === 'W')
  // A receiver without a fix writes zeros.
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180 || (latitude === 0 && longitude === 0)) return null
  return Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : null
}

/** Degrees, minutes and seconds; accurate to a tenth of a metre. NaN for anything else. */
function degreesOf(tag: Tags[string], negative: boolean): number {
  const parts = fractionsOf(tag)
  const degrees = parts.reduce((sum, part, n) => sum + part / 60 ** n, parts.length ? 0 : Number.NaN)
  const rounded = Math.round(degrees * 1e6) / 1e6
  return negative ? -rounded : rounded
}

/** Up to three numbers, each a fraction; NaN for one that is not. */
const fractionsOf = (tag: Tags[string]): number[] =>
  (Array.isArray(tag?.value) ? tag.value.slice(0, 3) : []).map(part =>
    Array.isArray(part) ? Number(part[0]) / Number(part[1]) : Number.NaN,
  )

function textOf(tag: Tags[string]): string {
  const value = Array.isArray(tag?.value) ? tag.value[0] : tag?.value
  return typeof value === 'string' ? value : ''
}
