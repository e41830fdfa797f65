import { ours } from '../app/public-path.ts'
import { readKept } from '../app/storage/storage.ts'
import { openStore } from '../app/store.ts'
import { bytesOf, type Upload } from './upload.ts'

/* How many files of a batch are safe, across reloads: the files themselves have been removed by then. */

type Tally = {
  files: number
  bytes: number
  /** How many of these files the album already had. */
  already: number
  /**
   * The safe files, by the time of their choice, that may still be stored here: after a reload they are not sent again.
   */
  leaving: readonly number[]
}
type ByAlbum = Record<string, Tally>
type Album = Pick<Upload, 'userId' | 'eventId'>

const place = `${ours}.uploaded`
const nameOf = ({ userId, eventId }: Album) => `${userId} ${eventId}`
const none: Tally = { files: 0, bytes: 0, already: 0, leaving: [] }

const read = () => readKept<ByAlbum>(localStorage.getItem(place)) ?? {}

export const tallies = openStore<ByAlbum>(read())
export const tallyOf = (all: ByAlbum, album: Album): Tally => ({ ...none, ...all[nameOf(album)] })

const write = (all: ByAlbum) => {
  tallies.set(all)
  if (Object.keys(all).length > 0) localStorage.setItem(place, JSON.stringify(all))
  else localStorage.removeItem(place)
}

// Another tab sends.
window.addEventListener('storage', ({ key }) => {
  if (key === place) tallies.set(read())
})

export const noteSafe = (upload: Upload) => {
  // Read from the storage: another tab may have been sending until now.
  const all = read()
  const { files, bytes, already, leaving } = tallyOf(all, upload)
  const now = {
    files: files + 1,
    bytes: bytes + bytesOf(upload),
    already: already + Number(upload.state === 'already'),
    leaving: [...leaving, upload.at],
  }
  write({ ...all, [nameOf(upload)]: now })
}

export const isCounted = (upload: Upload): boolean => tallyOf(tallies.get(), upload).leaving.includes(upload.at)

export const noteStruck = (upload: Upload) => {
  if (!isCounted(upload)) return
  const all = read()
  const tally = tallyOf(all, upload)
  write({ ...all, [nameOf(upload)]: { ...tally, leaving: tally.leaving.filter(at => at !== upload.at) } })
}

/** A safe upload was removed again in favour of an identical-looking photo already in the album. */
export const noteFolded = (album: Album) => {
  const tally = tallyOf(tallies.get(), album)
  write({ ...tallies.get(), [nameOf(album)]: { ...tally, already: tally.already + 1 } })
}

/** For an album without files left here. */
export const forgetTally = (album: Album) => {
  const { [nameOf(album)]: _, ...rest } = tallies.get()
  write(rest)
}
