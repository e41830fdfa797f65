import type { Beside } from '@afterglow/sdk/upload'
import { ours } from '../app/public-path.ts'
import { database } from '../app/storage/database.ts'
import { openStore } from '../app/store.ts'
import { isDone, isSafe, type Upload, withoutBytes } from './upload.ts'
import { letGo, storeFiles } from './upload-files.ts'
import { noteSafe, noteStruck } from './upload-tally.ts'

export const uploads = openStore<readonly Upload[]>([])
/** Bytes sent of the files in progress, by the time of their choice. */
export const sent = openStore<ReadonlyMap<number, number>>(new Map())

/** The tab that holds it sends. (Without HTTPS there are no locks; then the same bytes twice are still one photo.) */
export const uploadLock = `${ours}.uploads`

export const change = async (at: number, becomes: Partial<Upload>) => {
  uploads.set(uploads.get().map(each => (each.at === at ? { ...each, ...becomes } : each)))
  const changed = uploads.get().find(each => each.at === at)
  if (!changed || !isDone(changed)) return
  if (isSafe(changed)) {
    noteSafe(changed)
    await strikeSafe(changed)
  } else await writeDown(changed)
}

/**
 * The photo is sent without its companion file, whose name stays in the list with the reason. Returns the remaining
 * upload.
 */
export const leaveOut = async (upload: Upload, kind: Beside, said: string): Promise<Upload> => {
  const { [kind]: left, ...rest } = upload
  if (!left) return upload
  const { userId, eventId } = upload
  const last = uploads.get().reduce((most, { at }) => Math.max(most, at), 0)
  const without: Upload = { at: last + 1, userId, eventId, file: left, state: 'refused', reason: 'tooBig', said }
  // The current entry: it is being sent, and if it were waiting again another lane would send it, too.
  const alone = ({ [kind]: _, ...each }: Upload): Upload => each
  uploads.set([...uploads.get().map(each => (each.at === rest.at ? alone(each) : each)), without])
  await writeDown(without)
  return rest
}

/** After this, a reload does not lose it. If it can never be added, its name stays with the reason. */
export const writeDown = async (upload: Upload) => {
  try {
    await storeFiles(upload)
    uploads.set(uploads.get().map(each => (each.at === upload.at ? withoutHolder(each) : each)))
  } catch {
    // No room for its bytes: it is still sent, and the page says that it must stay open.
  }
}

const withoutHolder = ({ holder: _, ...rest }: Upload): Upload => rest

/** Returns true if it is certainly gone. */
export const strike = async (at: number): Promise<boolean> => {
  letGo(at)
  try {
    await (await database()).delete('uploads', at)
    return true
  } catch {
    // Most likely it was never stored.
    return false
  }
}

/** Removes a file that counts as safe. */
export const strikeSafe = async (upload: Upload) => {
  if (await strike(upload.at)) noteStruck(upload)
}

/** The stored uploads, oldest first. */
export const readDown = async (): Promise<Upload[]> => {
  try {
    return (await (await database()).getAll('uploads')).map(withoutBytes)
  } catch {
    // Without a storage, nothing is left over.
    return []
  }
}
