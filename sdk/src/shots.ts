import { identifierOfMoment, identifierOfPicture } from './content-identifiers.ts'
import { isRawName, kindOf } from './files.ts'

const momentName = /\.mov$/i
/** A Live Photo's video lasts three seconds; a video that happens to have a photo's name is longer. */
const momentBytesMax = 24 * 1024 * 1024

/** One photo, with the files that the camera wrote under the same name. */
export type Shot<File> = { file: File; raw?: File; live?: File }

type Told = {
  folder: string
  name: string
  type?: string
  size: number
  /** Read where names do not show what belongs together. */
  open(): Blob | Promise<Blob>
}

/**
 * Combines a photo with its RAW and the video of a Live Photo: files in one folder with the same name apart from the
 * extension, and pictures and videos with the same camera identifier, whatever their names and places. A file without
 * such a photo stays separate.
 */
export const inShots = async <File>(files: readonly File[], tell: (file: File) => Told): Promise<Shot<File>[]> => {
  const shots = byName(files.map(file => describe(file, tell(file))))
  const moments = new Map<string, Described<File>>()
  for (const { first } of shots) {
    const identifier = first.live && (await identified(first, identifierOfMoment))
    if (identifier) moments.set(identifier, first)
  }
  const joined = new Set<Described<File>>()
  for (const { first, shot } of moments.size > 0 ? shots : []) {
    const identifier = first.photo && !shot.live && (await identified(first, identifierOfPicture))
    const moment = identifier && moments.get(identifier)
    if (!moment || joined.has(moment)) continue
    shot.live = moment.file
    joined.add(moment)
  }
  return shots.filter(({ first }) => !joined.has(first)).map(({ shot }) => shot)
}

type Described<File> = {
  file: File
  photo: boolean
  raw: boolean
  live: boolean
  base: string
  open: Told['open']
}

const describe = <File>(file: File, { folder, name, type = '', size, open }: Told): Described<File> => {
  const raw = isRawName(name)
  const photo = !raw && kindOf({ type, name }) === 'photo'
  const live = momentName.test(name) && size <= momentBytesMax
  return { file, photo, raw, live, base: `${folder}/${name.replace(/\.[^.]+$/, '')}`.toLowerCase(), open }
}

/** An unreadable file is reported when its turn to be sent comes. */
const identified = async ({ open }: { open: Told['open'] }, read: (file: Blob) => Promise<string | undefined>) => {
  try {
    return await read(await open())
  } catch {
    return undefined
  }
}

const byName = <File>(described: readonly Described<File>[]) => {
  const photos = new Map<string, { first: Described<File>; shot: Shot<File> }>()
  for (const first of described)
    if (first.photo && !photos.has(first.base)) photos.set(first.base, { first, shot: { file: first.file } })
  return described.flatMap(each => {
    const photo = photos.get(each.base)
    if (photo?.first === each) return [photo]
    if (photo && each.raw && !photo.shot.raw) photo.shot.raw = each.file
    else if (photo && each.live && !photo.shot.live) photo.shot.live = each.file
    else return [{ first: each, shot: { file: each.file } as Shot<File> }]
    return []
  })
}
