import { kindOf } from '@afterglow/sdk/files'
import { api } from '../app/client.ts'
import { sha256Of } from './sha256.ts'
import { filesOf, type Upload } from './upload.ts'
import { uploads } from './upload-list.ts'

/** A whole file is in memory while it is hashed. */
const hashedBytesMax = 64 * 1024 * 1024
const askedTogether = 10

/** The pending or completed check of each file: the photos of one request that are already in the album. */
const asked = new WeakMap<File, Promise<ReadonlySet<File>>>()

/** Whether the album already has this photo; some waiting files are checked together with it. */
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

// Browsers can only compute hashes over HTTPS.
const canBeAsked = (upload: Upload) =>
  kindOf(upload.file) === 'photo' &&
  filesOf(upload).every(({ size }) => size <= hashedBytesMax) &&
  globalThis.crypto.subtle !== undefined

const unread = () => {}

const ask = async (event_id: number, together: readonly Upload[]): Promise<ReadonlySet<File>> => {
  try {
    const sums = new Map<File, string>()
    // An unreadable file is reported when its own turn comes.
    for (const file of together.flatMap(filesOf)) await sha256Of(file).then(sum => sums.set(file, sum), unread)
    if (sums.size === 0) return new Set()
    const { known } = await api.gallery.checkUploads({ event_id, sha256: [...new Set(sums.values())] })
    const mine = new Map(known.map(each => [each.sha256, each.mine]))
    const isThere = (file: File) => mine.has(sums.get(file) ?? '')
    // Files that belong to somebody else's photo are not accepted.
    const isWhole = (upload: Upload) =>
      isThere(upload.file) && (!mine.get(sums.get(upload.file) ?? '') || filesOf(upload).every(isThere))
    return new Set(together.filter(isWhole).map(({ file }) => file))
  } catch {
    // The check only saves an upload: the same bytes again are the same photo.
    return new Set()
  }
}
