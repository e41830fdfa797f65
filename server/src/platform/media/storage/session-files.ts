import { constants, type FileHandle, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Transaction } from '../../database/database.ts'
import { sync } from '../../process/durable-file.ts'
import { NotStored, type Storage, storageFailure, type Temporary } from './storage.ts'

/** Stores the safe offset, and in the same transaction what `beside` writes. */
export type Safe = (received: number, beside?: (tx: Transaction) => Promise<unknown>) => Promise<void>

/** Files that arrive in several requests, by session ID (a UUID). They outlive the process. */
export type SessionFiles = {
  /**
   * Writes a stream starting at `offset`; at 0 the file begins. Calls `safe` with the new offset each time more bytes
   * would survive a power cut, and once more at the end, even if the stream breaks. Resolves with the offset; rejects
   * with the error of the stream or `safe`, or `StorageFailed`.
   */
  write(id: string, stream: Readable, offset: number, safe: Safe): Promise<number>
  /** Tells whether this many bytes from the beginning are here: they are not if the storage has changed since. */
  holds(id: string, bytes: number): Promise<boolean>
  /**
   * The whole file as a temporary of the storage, to put or remove; the session keeps its own. Throws `NotStored` if it
   * is not here, `StorageFailed`.
   */
  take(id: string): Promise<Temporary>
  /** Removing something that does not exist is not an error. */
  remove(id: string): Promise<void>
  /** IDs of files that are older than an hour, for the sweeper. */
  settled(): Promise<string[]>
}

/** How much of one request a kill may lose; each flush costs a wait for the disk. */
const flushBytes = 16 * 1024 * 1024
const groupBytes = 1024 * 1024
/** One-byte chunks would each cost an object. */
const groupChunks = 256

/** Session files in `directory`, on the storage's file system: taking one creates a hard link. */
export async function openSessionFiles(directory: string, storage: Storage): Promise<SessionFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const pathOf = (id: string) => join(directory, id)

  return {
    async write(id, stream, offset, safe) {
      // Until the first read nobody else listens: an abort then would be an uncaught exception.
      stream.on('error', () => {})
      const file = await orStorageFailed(
        open(pathOf(id), offset === 0 ? constants.O_RDWR | constants.O_CREAT : 'r+', 0o600),
      )
      try {
        if (offset === 0) await orStorageFailed(sync(directory))
        return await append(file, stream, offset, safe)
      } finally {
        await file.close()
      }
    },

    async holds(id, bytes) {
      if (bytes === 0) return true
      const found = await orStorageFailed(stat(pathOf(id)).catch(orAbsent))
      return found !== null && found.size >= bytes
    },

    async take(id) {
      const temporary = storage.temporary()
      try {
        await link(pathOf(id), temporary.path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new NotStored('An upload has no file here.')
        throw storageFailure(error)
      }
      return temporary
    },

    remove: id => orStorageFailed(rm(pathOf(id), { force: true })),

    async settled() {
      const ids = []
      for (const id of await readdir(directory)) {
        const found = await stat(pathOf(id)).catch(() => null)
        if (found && found.mtimeMs < Date.now() - 3_600_000) ids.push(id)
      }
      return ids
    },
  }
}

async function append(file: FileHandle, stream: Readable, offset: number, safe: Safe) {
  let end = offset
  let flushed = offset
  let group: Buffer[] = []
  let gathered = 0

  const write = async () => {
    await writeAt(file, group, end)
    end += gathered
    group = []
    gathered = 0
  }
  const flush = async () => {
    await write()
    if (end === flushed) return
    await file.datasync()
    flushed = end
    await safe(end)
  }

  let broken: unknown
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      group.push(chunk)
      gathered += chunk.length
      if (gathered < groupBytes && group.length < groupChunks) continue
      await orStorageFailed(write())
      if (end - flushed >= flushBytes) await orStorageFailed(flush())
    }
  } catch (error) {
    broken = error
  }
  // Bytes received before the interruption are kept: the client continues from there.
  await orStorageFailed(flush())
  if (broken !== undefined) throw broken
  return end
}

async function writeAt(file: FileHandle, group: Buffer[], position: number) {
  if (group.length === 0) return
  const bytes = group.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await file.writev(group, position)
  // A disk that fills up writes part of it first and fails on the rest.
  if (bytesWritten < bytes) {
    const rest = Buffer.concat(group).subarray(bytesWritten)
    const again = await file.write(rest, 0, rest.length, position + bytesWritten)
    if (again.bytesWritten < rest.length) throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' })
  }
}

const orAbsent = (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : Promise.reject(error))

const orStorageFailed = <Result>(work: Promise<Result>) =>
  work.catch(error => Promise.reject(storageFailure(error))) as Promise<Result>
