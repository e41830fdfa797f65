import { kindOf } from '@afterglow/sdk/files'
import { api } from '../app/net/client.ts'
import { sha256Of } from './sha256.ts'
import { type FileFacts, filesOf, type Upload } from './upload.ts'
import { isDue } from './upload-barriers.ts'
import { openFiles } from './upload-files.ts'
import { uploads } from './upload-list.ts'

/** A whole file is in memory while it is hashed. */
const hashedBytesMax = 64 * 1024 * 1024
const askedTogether = 10

/**
 * The pending or completed check of each upload, by the time of its choice; a request's photos that are already in the
 * album.
 */
const asked = new Map<number, Promise<ReadonlySet<number>>>()

/** True if the album already has this photo; some waiting files are checked together with it. */
export const inAlbum = async (upload: Upload): Promise<boolean> => {
  if (!canBeAsked(upload)) return false
  if (!asked.has(upload.at)) {
    const due = uploads.get().filter(each => isDue(each) && each.eventId === upload.eventId)
    const others = due.filter(each => canBeAsked(each) && !asked.has(each.at))
    const together = [upload, ...others].slice(0, askedTogether)
    const answer = ask(upload.eventId, together)
    for (const { at } of together) asked.set(at, answer)
  }
  return (await asked.get(upload.at))?.has(upload.at) ?? false
}

// Browsers can only compute hashes over HTTPS.
const canBeAsked = (upload: Upload) =>
  kindOf(upload.file) === 'photo' &&
  filesOf<FileFacts>(upload).every(({ size }) => size <= hashedBytesMax) &&
  globalThis.crypto.subtle !== undefined

const unread = () => {}

const sumsOf = async (upload: Upload) => {
  const files = await openFiles(upload)
  const sums: string[] = []
  for (const file of files ? filesOf<File>(files) : []) sums.push(await sha256Of(file))
  return sums
}

const ask = async (event_id: number, together: readonly Upload[]): Promise<ReadonlySet<number>> => {
  try {
    const sums = new Map<number, string[]>()
    // An unreadable file is reported when its own turn comes.
    for (const upload of together) await sumsOf(upload).then(all => sums.set(upload.at, all), unread)
    if (sums.size === 0) return new Set()
    const { known } = await api.gallery.checkUploads({ event_id, sha256: [...new Set([...sums.values()].flat())] })
    const mine = new Map(known.map(each => [each.sha256, each.mine]))
    // Files that belong to somebody else's photo are not accepted.
    const isWhole = ([first = '', ...beside]: string[]) =>
      mine.has(first) && (!mine.get(first) || beside.every(sum => mine.has(sum)))
    return new Set([...sums].filter(([, all]) => isWhole(all)).map(([at]) => at))
  } catch {
    // The check only saves an upload: the same bytes again are the same photo.
    return new Set()
  }
}
