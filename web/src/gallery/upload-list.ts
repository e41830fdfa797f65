import type { Beside } from '@afterglow/sdk/upload'
import { database } from '../app/database.ts'
import { openStore } from '../app/store.ts'
import { isDone, isHopeless, isSafe, type Upload } from './upload.ts'
import { noteSafe, noteStruck } from './upload-tally.ts'

export const uploads = openStore<readonly Upload[]>([])
/** Bytes sent of the files in progress, by when they were chosen. */
export const sent = openStore<ReadonlyMap<number, number>>(new Map())
/** Files that a reload would lose, because this browser has no room for them. */
export const unkept = openStore<ReadonlySet<number>>(new Set())

/** The tab that holds it sends. (Without HTTPS there are no locks; then the same bytes twice are still one photo.) */
export const uploadLock = 'afterglow.uploads'

export const change = async (at: number, becomes: Partial<Upload>) => {
  uploads.set(uploads.get().map(each => (each.at === at ? { ...each, ...becomes } : each)))
  const changed = uploads.get().find(each => each.at === at)
  if (!changed || !isDone(changed)) return
  if (isSafe(changed)) {
    noteSafe(changed)
    await strikeSafe(changed)
  } else await writeDown(changed)
}

/** The photo is sent without its companion file, whose name stays in the list with the reason. Returns what is sent. */
export const leaveOut = async (upload: Upload, kind: Beside, said: string): Promise<Upload> => {
  const { [kind]: left, ...rest } = upload
  if (!left) return upload
  const { userId, eventId } = upload
  const last = uploads.get().reduce((most, { at }) => Math.max(most, at), 0)
  const told: Upload = { at: last + 1, userId, eventId, file: left, state: 'refused', reason: 'tooBig', said }
  // The current entry: it is being sent, and if it were waiting again another lane would send it, too.
  const without = ({ [kind]: _, ...each }: Upload): Upload => each
  uploads.set([...uploads.get().map(each => (each.at === rest.at ? without(each) : each)), told])
  await writeDown(told)
  return rest
}

/** From now on, a reload does not lose it. If it can never be added, its name stays with the reason. */
export const writeDown = async (upload: Upload) => {
  const { at, file, raw: _, live: __, ...rest } = upload
  const kept = isHopeless(upload) ? { at, ...rest, file: new File([], file.name, { type: file.type }) } : upload
  try {
    // Flushed to disk, because the next thing to happen may be a power failure.
    const writing = (await database()).transaction('uploads', 'readwrite', { durability: 'strict' })
    await Promise.all([writing.store.put(kept), writing.done])
    setKept(at, true)
  } catch {
    // No room for its bytes: it is still sent, and the page says that it must stay open.
    setKept(at, false)
  }
}

const setKept = (at: number, kept: boolean) => {
  if (unkept.get().has(at) !== kept) return
  const now = new Set(unkept.get())
  if (kept) now.delete(at)
  else now.add(at)
  unkept.set(now)
}

/** Returns whether it is gone for certain. */
export const strike = async (at: number): Promise<boolean> => {
  setKept(at, true)
  try {
    await (await database()).delete('uploads', at)
    return true
  } catch {
    // Most likely it was never stored.
    return false
  }
}

/** Of a file that is counted as safe. */
export const strikeSafe = async (upload: Upload) => {
  if (await strike(upload.at)) noteStruck(upload)
}

/** What is stored, oldest first. */
export const readDown = async (): Promise<Upload[]> => {
  try {
    return await (await database()).getAll('uploads')
  } catch {
    // A browser that stores nothing has nothing left over.
    return []
  }
}
