import { indexOf, quietly, read, textOf, viewOf } from './bytes.ts'
import { hasSound, lengthOf, moovOf, toldIn } from './moov.ts'

/*
 * The two parts of a Live Photo from which a program has removed Apple's identifiers: of one camera and one second, and
 * the film is short and silent, so that nobody would miss it beside the picture.
 */

const secondsMax = 3
const apartMsMax = 1000

export const areOfOneShutter = async (picture: Blob, film: Blob): Promise<boolean> => {
  const moov = await moovOf(film)
  const filmed = moov && quietly(() => filmedBy(moov))
  const taken = filmed && (await takenBy(picture))
  return (
    taken !== undefined &&
    filmed !== undefined &&
    taken.camera === filmed.camera &&
    Math.abs(taken.at - filmed.at) <= apartMsMax
  )
}

/** A camera's name and its clock, as if that showed UTC. */
type Shutter = { camera: string; at: number }

const filmedBy = (moov: Uint8Array): Shutter | undefined => {
  if (lengthOf(moov) >= secondsMax || hasSound(moov)) return undefined
  const told = toldIn(moov)
  const of = (name: string) => told.get(`com.apple.quicktime.${name}`)
  return shutter(of('make'), of('model'), of('creationdate'))
}

const shutter = (make = '', model = '', time = ''): Shutter | undefined => {
  const [, year, month, day, clock] = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(time) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${clock}Z`)
  return make && model && !Number.isNaN(at) ? { camera: `${make} ${model}`, at } : undefined
}

const headBytes = 256 * 1024
const exifMark = 'Exif\0\0'
const [makeTag, modelTag, detailTag, takenTag] = [0x010f, 0x0110, 0x8769, 0x9003] as const

const takenBy = async (picture: Blob): Promise<Shutter | undefined> => {
  const bytes = await read(picture, 0, headBytes)
  const at = indexOf(bytes, exifMark)
  return at < 0 ? undefined : quietly(() => takenIn(bytes.subarray(at + exifMark.length)))
}

const takenIn = (tiff: Uint8Array) => {
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
  return shutter(text(main.get(makeTag)), text(main.get(modelTag)), text(taken))
}
