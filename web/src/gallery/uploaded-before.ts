import { openStore } from '../app/store.ts'
import type { Upload } from './upload.ts'

/* What of a batch was sent before the page was loaded anew: the files themselves are struck off by then. */

type Sent = { files: number; bytes: number }
type ByAlbum = Record<string, Sent>

const place = 'afterglow.uploaded'
const albumOf = ({ userId, eventId }: Pick<Upload, 'userId' | 'eventId'>) => `${userId} ${eventId}`

const read = (): ByAlbum => {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}')
  } catch {
    return {}
  }
}
const write = (sent: ByAlbum) => {
  try {
    if (Object.keys(sent).length > 0) localStorage.setItem(place, JSON.stringify(sent))
    else localStorage.removeItem(place)
  } catch {
    // A browser that keeps nothing begins to count anew.
  }
}

export const sentBefore = openStore<ByAlbum>({})

export const noteSent = (upload: Upload) => {
  const all = read()
  const { files, bytes } = all[albumOf(upload)] ?? { files: 0, bytes: 0 }
  write({ ...all, [albumOf(upload)]: { files: files + 1, bytes: bytes + upload.file.size } })
}

/** Of batches that go on; others are over. */
export const readSentBefore = (left: readonly Upload[]) => {
  const going = new Set(left.map(albumOf))
  const all = Object.fromEntries(Object.entries(read()).filter(([album]) => going.has(album)))
  write(all)
  sentBefore.set(all)
}

export const forgetSent = (upload: Pick<Upload, 'userId' | 'eventId'>) => {
  const { [albumOf(upload)]: _, ...rest } = read()
  write(rest)
  const { [albumOf(upload)]: __, ...others } = sentBefore.get()
  sentBefore.set(others)
}

export const sentBeforeOf = (all: ByAlbum, upload: Upload): Sent => all[albumOf(upload)] ?? { files: 0, bytes: 0 }
