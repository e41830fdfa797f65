import { kindOf } from '@afterglow/sdk/files'
import { api } from '../app/client.ts'
import { sha256Of } from './sha256.ts'
import { filesOf, type Upload } from './upload.ts'
import { uploads } from './upload-list.ts'

/** A whole file is in memory while its sum is made. */
const hashedBytesMax = 64 * 1024 * 1024
const askedTogether = 10

/** What was asked, or is being asked, of each file: the photos among those asked together that the album has. */
const asked = new WeakMap<File, Promise<ReadonlySet<File>>>()

/** Whether the album has this photo already; some that wait are asked about along with it. */
export const inAlbum = async (upload: Upload): Promise<boolean> => {
  if (!canBeAsked(upload)) return false
  if (!asked.has(upload.file)) {
    const waiting = uploads.get().filter(each => each.state === 'waiting' && each.eventId === upload.eventId)
    const others = waiting.filter(each => canBeAsked(each) && !asked.has(each.file))
    const together = [upload, ...others].slice(0, askedTogether)
    const answer = ask(upload.eventId, together)
    for (const { file } of together) asked.set(file, answer)
  }
  return (await asked.get(upload.file))?.has(upload.file) ?? false
}

// Only where there is HTTPS can a browser make sums.
const canBeAsked = (upload: Upload) =>
  kindOf(upload.file) === 'photo' &&
  filesOf(upload).every(({ size }) => size <= hashedBytesMax) &&
  globalThis.crypto.subtle !== undefined

const unread = () => {}

const ask = async (event_id: number, together: readonly Upload[]): Promise<ReadonlySet<File>> => {
  try {
    const sums = new Map<File, string>()
    // One that cannot be read is told of when its own turn comes.
    for (const file of together.flatMap(filesOf)) await sha256Of(file).then(sum => sums.set(file, sum), unread)
    if (sums.size === 0) return new Set()
    const { known } = await api.gallery.checkUploads({ event_id, sha256: [...new Set(sums.values())] })
    const mine = new Map(known.map(each => [each.sha256, each.mine]))
    const isThere = (file: File) => mine.has(sums.get(file) ?? '')
    // What lies beside somebody else's photo is not taken.
    const isWhole = (upload: Upload) =>
      isThere(upload.file) && (!mine.get(sums.get(upload.file) ?? '') || filesOf(upload).every(isThere))
    return new Set(together.filter(isWhole).map(({ file }) => file))
  } catch {
    // Asking only spares the way: the same bytes again are the same photo.
    return new Set()
  }
}
