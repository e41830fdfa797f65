import { database } from '../app/database.ts'
import { openStore } from '../app/store.ts'
import { isDone, isSafe, type Upload } from './upload.ts'
import { noteSent } from './uploaded-before.ts'

export const uploads = openStore<readonly Upload[]>([])
/** Bytes that have left, of files that are being sent: by when they were chosen. */
export const sent = openStore<ReadonlyMap<number, number>>(new Map())

/** The tab that holds it sends. (Without HTTPS there are no locks; then the same bytes twice are still one photo.) */
export const uploadLock = 'afterglow.uploads'

export const change = async (at: number, becomes: Partial<Upload>) => {
  uploads.set(uploads.get().map(each => (each.at === at ? { ...each, ...becomes } : each)))
  const changed = uploads.get().find(each => each.at === at)
  if (changed && isSafe(changed)) noteSent(changed)
  if (changed && isDone(changed)) await strike(at)
}

/** From now on a reload does not lose it. */
export const writeDown = async (upload: Upload) => {
  try {
    await (await database()).put('uploads', upload)
  } catch {
    // No room for its bytes: it is still sent, but a reload would lose it.
  }
}

export const strike = async (at: number) => {
  try {
    await (await database()).delete('uploads', at)
  } catch {
    // It was never written down.
  }
}

/** What is written down, oldest first. */
export const readDown = async (): Promise<Upload[]> => {
  try {
    return await (await database()).getAll('uploads')
  } catch {
    // A browser that keeps nothing has nothing left behind.
    return []
  }
}
