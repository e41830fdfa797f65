import { api } from '../app/client.ts'
import type { Upload } from './upload.ts'
import { kindOf } from './upload.ts'
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
    const files = [upload, ...others].slice(0, askedTogether).map(({ file }) => file)
    const answer = ask(upload.eventId, files)
    for (const file of files) asked.set(file, answer)
  }
  return (await asked.get(upload.file))?.has(upload.file) ?? false
}

// Only where there is HTTPS can a browser make sums.
const canBeAsked = ({ file }: Upload) =>
  kindOf(file) === 'photo' && file.size <= hashedBytesMax && globalThis.crypto.subtle !== undefined

const ask = async (event_id: number, files: readonly File[]): Promise<ReadonlySet<File>> => {
  try {
    const sums = new Map<File, string>()
    for (const file of files) sums.set(file, await sha256Of(file))
    const { known } = await api.gallery.checkUploads({ event_id, sha256: [...new Set(sums.values())] })
    const there = new Set(known.map(({ sha256 }) => sha256))
    return new Set(files.filter(file => there.has(sums.get(file) ?? '')))
  } catch {
    // Asking only spares the way: the same bytes again are the same photo.
    return new Set()
  }
}

const sha256Of = async (file: File) => {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return Array.from(sum, byte => byte.toString(16).padStart(2, '0')).join('')
}
