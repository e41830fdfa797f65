import { identifierOfMoment, identifierOfPicture } from './content-identifiers.ts'
import { isRawName, kindOf } from './files.ts'

const momentName = /\.mov$/i
/** A Live Photo's moment has three seconds; a film that happens to have a photo's name is longer. */
const momentBytesMax = 24 * 1024 * 1024

/** One photo, with what the camera wrote beside it under the same name. */
export type Shot<File> = { file: File; raw?: File; live?: File }

type Told = {
  folder: string
  name: string
  type?: string
  size: number
  /** Read where names do not say what belongs together. */
  open(): Blob | Promise<Blob>
}

/**
 * Puts a photo together with its RAW and the moment of a Live Photo: files of one folder and one name but for the ending, and
 * pictures and moments into which a camera wrote one identifier, whatever they are called and wherever they lie. What has no such
 * photo stays by itself.
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

/** What cannot be read is told when its turn to be sent comes. */
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
