import { identifierOfMoment, identifierOfPicture } from './content-identifiers.ts'
import { clockOf, exifOf } from './exif.ts'
import { isRawName, kindOf } from './files.ts'
import { areOfOneShutter } from './stripped-live-photos.ts'

const momentName = /\.mov$/i
/** A Live Photo's film lasts three seconds: of a longer one, nothing is read. */
const momentBytesMax = 24 * 1024 * 1024

/** One photo, with the files that belong to it. */
export type Shot<File> = { file: File; raw?: File; live?: File }

type FileDetails = {
  folder: string
  name: string
  type?: string
  size: number
  /** Read where names do not show what belongs together. */
  open(): Blob | Promise<Blob>
}

/**
 * Combines a photo with its RAW, by their name, and with the film of a Live Photo, by what is in both: the camera's
 * identifier, whatever their names and places; or, beside a photo of its name, the same camera in the same second. A
 * film that merely has a photo's name stays a film, and a file without such a photo stays separate.
 */
export const inShots = async <File>(
  files: readonly File[],
  tell: (file: File) => FileDetails,
): Promise<Shot<File>[]> => {
  const shots = withRaws(files.map(file => describe(file, tell(file))))
  const films = shots.filter(({ first }) => first.live)
  const photos = shots.filter(({ first }) => first.photo)
  const joined = new Set<Described<File>>()
  const join = ({ shot }: Listed<File>, { first: film }: Listed<File>) => {
    shot.live = film.file
    joined.add(film)
  }

  const identifiers = new Map<string, Listed<File>>()
  for (const film of films) {
    const identifier = await seen(film.first, identifierOfMoment)
    if (identifier && !identifiers.has(identifier)) identifiers.set(identifier, film)
  }
  const named = new Map<string, Listed<File>[]>()
  for (const film of films) named.set(film.first.base, [...(named.get(film.first.base) ?? []), film])
  // Photos with a video of the same name first, because a copy under another name has the same identifier.
  const inOrder = [...photos.filter(({ first }) => named.has(first.base)), ...photos]
  const asked = new Set<Listed<File>>()
  for (const photo of identifiers.size > 0 ? inOrder : []) {
    if (joined.size === identifiers.size) break
    if (asked.has(photo)) continue
    asked.add(photo)
    const identifier = await seen(photo.first, identifierOfPicture)
    const film = identifier && identifiers.get(identifier)
    if (film && !joined.has(film.first)) join(photo, film)
  }
  for (const photo of photos)
    for (const film of named.get(photo.first.base) ?? []) {
      if (photo.shot.live || joined.has(film.first)) continue
      const shutters = await seen(photo.first, picture => seen(film.first, moment => areOfOneShutter(picture, moment)))
      if (shutters) join(photo, film)
    }
  return shots.filter(({ first }) => !joined.has(first)).map(({ shot }) => shot)
}

/** A camera writes it near the beginning. */
const exifBytesMax = 64 * 1024
const readAtOnce = 8

/** The same shots as they were taken, the first first: by the camera's clock, and where a file says nothing by its own time. */
export const inOrderTaken = async <Shot extends { file: File }>(shots: readonly Shot[]): Promise<Shot[]> => {
  const dated: { shot: Shot; at: number }[] = []
  for (let first = 0; first < shots.length; first += readAtOnce) {
    const some = shots.slice(first, first + readAtOnce)
    dated.push(...(await Promise.all(some.map(async shot => ({ shot, at: await takenAt(shot.file) })))))
  }
  return dated.sort((one, other) => one.at - other.at).map(({ shot }) => shot)
}

const takenAt = async (file: File): Promise<number> => {
  const photo = kindOf(file) === 'photo'
  const exif = photo && (await seen({ open: () => file }, picture => exifOf(picture, exifBytesMax)))
  const clock = exif ? clockOf(exif.time) : undefined
  // A file's own time is a moment; a camera's clock is taken for this device's.
  return clock === undefined ? file.lastModified : clock + new Date(clock).getTimezoneOffset() * 60_000
}

type Described<File> = {
  file: File
  photo: boolean
  raw: boolean
  live: boolean
  base: string
  open: FileDetails['open']
}
type Listed<File> = { first: Described<File>; shot: Shot<File> }

const describe = <File>(file: File, { folder, name, type = '', size, open }: FileDetails): Described<File> => {
  const raw = isRawName(name)
  const photo = !raw && kindOf({ type, name }) === 'photo'
  const live = momentName.test(name) && size <= momentBytesMax
  return { file, photo, raw, live, base: `${folder}/${name.replace(/\.[^.]+$/, '')}`.toLowerCase(), open }
}

/** An unreadable file is reported when its turn to be sent comes. */
const seen = async <Seen>({ open }: { open: FileDetails['open'] }, look: (file: Blob) => Promise<Seen>) => {
  try {
    return await look(await open())
  } catch {
    return undefined
  }
}

const withRaws = <File>(described: readonly Described<File>[]): Listed<File>[] => {
  const photos = new Map<string, Listed<File>>()
  for (const first of described)
    if (first.photo && !photos.has(first.base)) photos.set(first.base, { first, shot: { file: first.file } })
  return described.flatMap(each => {
    const photo = photos.get(each.base)
    if (photo?.first === each) return [photo]
    if (photo && each.raw && !photo.shot.raw) photo.shot.raw = each.file
    else return [{ first: each, shot: { file: each.file } }]
    return []
  })
}
