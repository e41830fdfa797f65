import { indexOf, quietly, read, textOf, viewOf } from './bytes.ts'

/* The camera's metadata that shows which pictures belong together, and their order. */

/** `time` as the camera's clock showed it: `2026:11:20 21:04:11`. */
export type Exif = { make: string | undefined; model: string | undefined; time: string | undefined }

const headBytes = 256 * 1024
const exifMark = 'Exif\0\0'
const [makeTag, modelTag, detailTag, takenTag] = [0x010f, 0x0110, 0x8769, 0x9003] as const

/** Undefined for a picture without. */
export const exifOf = async (picture: Blob, bytesMax = headBytes): Promise<Exif | undefined> => {
  const bytes = await read(picture, 0, bytesMax)
  const at = indexOf(bytes, exifMark)
  return at < 0 ? undefined : quietly(() => exifIn(bytes.subarray(at + exifMark.length)))
}

/** Milliseconds, as if the clock showed UTC; undefined for what is no time. */
export const clockOf = (time = ''): number | undefined => {
  const [, year, month, day, clock] = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(time) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${clock}Z`)
  return Number.isNaN(at) ? undefined : at
}

const exifIn = (tiff: Uint8Array): Exif => {
  const view = viewOf(tiff)
  const little = view.getUint16(0) === 0x4949
  const entries = (from: number) =>
    new Map(
      Array.from({ length: view.getUint16(from, little) }, (_, n) => {
        const at = from + 2 + n * 12
        return [view.getUint16(at, little), { count: view.getUint32(at + 4, little), at: at + 8 }] as const
      }),
    )
  const main = entries(view.getUint32(4, little))
  const detail = main.get(detailTag)
  const text = (entry: { count: number; at: number } | undefined) => {
    if (!entry) return undefined
    const from = entry.count > 4 ? view.getUint32(entry.at, little) : entry.at
    return textOf(tiff.subarray(from, from + entry.count)).replace(/\0.*$/s, '')
  }
  const taken = detail && entries(view.getUint32(detail.at, little)).get(takenTag)
  return { make: text(main.get(makeTag)), model: text(main.get(modelTag)), time: text(taken) }
}
