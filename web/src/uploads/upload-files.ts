import { ours } from '../app/public-path.ts'
import { database } from '../app/storage/database.ts'
import { type Files, isHopeless, type Upload } from './upload.ts'

/* The bytes of uploads: in the browser's store, which every tab reads, and until then in the tab that chose them. */

/** Files that only this tab has, by the time of their choice. */
const chosen = new Map<number, Files>()

/** This tab's name to others. */
export const thisTab = `${ours}.uploads.of.${Math.random().toString(36).slice(2)}`
let held: Promise<void> | undefined

/**
 * From now until this tab closes or crashes it holds the lock of its name. So others know whether files that are not
 * stored yet can still be sent.
 */
export const holdName = (): Promise<void> => {
  held ??= new Promise(resolve => {
    if (!navigator.locks) return resolve()
    const untilItCloses = new Promise(() => {})
    const take = () => {
      resolve()
      return untilItCloses
    }
    navigator.locks.request(thisTab, take).catch(resolve)
  })
  return held
}

export const holdBytes = (at: number, files: Files) => void chosen.set(at, files)
export const letGo = (at: number) => void chosen.delete(at)

/** The files of an upload: undefined if another tab has them, or nobody any more. Throws if the store does. */
export const openFiles = async ({ at, raw, live }: Upload): Promise<Files | undefined> => {
  const all = chosen.get(at) ?? (await (await database()).get('uploads', at))
  if (!all) return undefined
  // A companion file may have been left out since.
  return { file: all.file, ...(raw && all.raw && { raw: all.raw }), ...(live && all.live && { live: all.live }) }
}

/** Stores an upload with its bytes; if it can never be added, only its name. Throws if there is no room. */
export const storeFiles = async (upload: Upload) => {
  const { holder: _, ...rest } = upload
  const { name, type } = upload.file
  const files = isHopeless(upload) ? { file: new File([], name, { type }) } : await openFiles(upload)
  if (!files) return
  const { raw: __, live: ___, ...facts } = rest
  // Flushed to disk, because the next thing to happen may be a power failure.
  const writing = (await database()).transaction('uploads', 'readwrite', { durability: 'strict' })
  await Promise.all([writing.store.put({ ...facts, ...files }), writing.done])
  letGo(upload.at)
}
