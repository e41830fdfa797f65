import { quietly } from './bytes.ts'
import { clockOf, exifOf } from './exif.ts'
import { appleMetadata, hasSound, lengthOf, moovOf } from './video-metadata.ts'

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
  const told = appleMetadata(moov)
  const of = (name: string) => told.get(`com.apple.quicktime.${name}`)
  return shutter(of('make'), of('model'), of('creationdate'))
}

const shutter = (make = '', model = '', time = ''): Shutter | undefined => {
  const at = clockOf(time)
  return make && model && at !== undefined ? { camera: `${make} ${model}`, at } : undefined
}

const takenBy = async (picture: Blob): Promise<Shutter | undefined> => {
  const exif = await exifOf(picture)
  return exif && shutter(exif.make, exif.model, exif.time)
}
