import ExifReader from 'exifreader'

/** The capture time: the camera's own clock, and its offset from UTC if the camera states it (`+01:00`). */
export type Taken = { local: string; offset: string | null }
/** In degrees, north and east. */
export type Place = { latitude: number; longitude: number }
export type Told = { taken: Taken | null; place: Place | null }

// The exposure time first, then the time of digitizing, then of the last change; each with its own offset.
const times = [
  ['DateTimeOriginal', 'OffsetTimeOriginal', 'SubSecTimeOriginal'],
  ['DateTimeDigitized', 'OffsetTimeDigitized', 'SubSecTimeDigitized'],
  ['DateTime', 'OffsetTime', 'SubSecTime'],
] as const
const places = ['GPSLatitude', 'GPSLatitudeRef', 'GPSLongitude', 'GPSLongitudeRef'] as const

type Tags = Record<string, { value?: unknown } | undefined>

/** When and where a picture was taken, from its EXIF block; null for anything missing, blank, damaged or impossible. */
export function readExif(exif: Buffer | undefined): Told {
  const tags = exif ? tagsOf(exif) : {}
  return { taken: takenOf(tags), place: placeOf(tags) }
}

function tagsOf(exif: Buffer): Tags {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  try {
    // Nothing else is read: no maker notes, thumbnails, profiles or XML.
    return ExifReader.load(tiff, { includeTags: { exif: [...times.flat(), ...places] } }) as unknown as Tags
  } catch {
    return {}
  }
}

function takenOf(tags: Tags): Taken | null {
  for (const [time, offset, fraction] of times) {
    const local = localOf(textOf(tags[time]), textOf(tags[fraction]))
    if (local) return { local, offset: offsetOf(textOf(tags[offset])) }
  }
  return null
}

function localOf(text: string, fraction: string): string | null {
  const match = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text)
  if (!match || Number(match[1]) < 1900) return null // cameras without a set clock write zeros
  const milliseconds = /^\d+/.exec(fraction)?.[0].padEnd(3, '0').slice(0, 3) ?? '000'
  const local = `${match[1]}-${match[2]}-${match[3]}T${match[4]}.${milliseconds}`
  const date = new Date(`${local}Z`)
  // 31 February would become a day in March.
  return Number.isFinite(date.getTime()) && date.toISOString() === `${local}Z` ? local : null
}

function offsetOf(text: string): string | null {
  const match = /^([+-])(\d\d):([0-5]\d)$/.exec(text.trim())
  return match && Number(match[2]) * 60 + Number(match[3]) <= 14 * 60 ? match[0] : null
}

function placeOf(tags: Tags): Place | null {
  const latitude = degreesOf(tags.GPSLatitude, textOf(tags.GPSLatitudeRef) === 'S')
  const longitude = degreesOf(tags.GPSLongitude, textOf(tags.GPSLongitudeRef) === 'W')
  // A receiver without a fix writes zeros.
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180 || (latitude === 0 && longitude === 0)) return null
  return Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : null
}

/** Degrees, minutes and seconds, each a fraction; accurate to a tenth of a metre. NaN for anything else. */
function degreesOf(tag: Tags[string], negative: boolean): number {
  const parts = Array.isArray(tag?.value) ? tag.value.slice(0, 3) : []
  const degrees = parts.reduce(
    (sum, part, n) => sum + (Array.isArray(part) ? Number(part[0]) / Number(part[1]) / 60 ** n : Number.NaN),
    parts.length ? 0 : Number.NaN,
  )
  const rounded = Math.round(degrees * 1e6) / 1e6
  return negative ? -rounded : rounded
}

function textOf(tag: Tags[string]): string {
  const value = Array.isArray(tag?.value) ? tag.value[0] : tag?.value
  return typeof value === 'string' ? value : ''
}
