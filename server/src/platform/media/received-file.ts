import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Sums, startSums, sumFile } from './checksums.ts'
import { type Storage, storageFailure, type Temporary } from './storage/storage.ts'

/** A file as received from a client, in a temporary, which the receiver removes. `name`: the client's name for it. */
export type ReceivedFile = Sums & Temporary & { name?: string | null | undefined }

export class FileTooLarge extends Error {
  override name = 'FileTooLarge'
  bytesMax: number

  constructor(bytesMax: number) {
    super(`The file is larger than ${bytesMax} bytes.`)
    this.bytesMax = bytesMax
  }
}

// Network chunks are 16–64 KiB: written in groups, while the next group is read and hashed. Their number is bounded
// too, because one-byte chunks would each cost an object and the buffer they point into.
const groupBytes = 1024 * 1024
const groupChunks = 256

/**
 * Streams a file into a temporary of the storage, hashing as it goes; memory stays at two groups. Throws `FileTooLarge`
 * at the first byte over `bytesMax`, `StorageFailed`, or the stream's error; no temporary remains then. The stream is
 * not destroyed: after `FileTooLarge` it is paused, for the caller to destroy or drain.
 */
export async function receive(
  stream: Readable,
  { bytesMax }: { bytesMax: number },
  storage: Pick<Storage, 'temporary'>,
): Promise<ReceivedFile> {
  // Between here and the first read nobody else listens: an abort then would be an uncaught exception.
  stream.on('error', () => {})
  const { path, remove } = storage.temporary()
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      return { path, remove, ...(await copy(stream, file, bytesMax)) }
    } finally {
      await file.close()
    }
  } catch (error) {
    await remove()
    throw storageFailure(error)
  }
}

/** A temporary written by other means as a received file. If it cannot be read, it is removed. */
export async function hashed({ path, remove }: Temporary): Promise<ReceivedFile> {
  try {
    return { path, remove, ...(await sumFile(path)) }
  } catch (error) {
    await remove()
    throw storageFailure(error)
  }
}

async function copy(stream: Readable, file: FileHandle, bytesMax: number) {
  const sums = startSums()
  let bytes = 0
  let group: Buffer[] = []
  let gathered = 0
  let writing: Promise<void> = Promise.resolve()

  const flush = async () => {
    await writing
    writing = write(file, group, gathered)
    writing.catch(() => {}) // awaited later; it must not count as unhandled meanwhile
    group = []
    gathered = 0
  }

  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new FileTooLarge(bytesMax)
      sums.add(chunk)
      group.push(chunk)
      gathered += chunk.length
      if (gathered >= groupBytes || group.length >= groupChunks) await flush()
    }
    await flush()
    await writing
  } finally {
    await writing.catch(() => {}) // the file must not be closed under a write
  }
  return sums.end()
}

async function write(file: FileHandle, group: Buffer[], bytes: number) {
  if (bytes === 0) return
  const { bytesWritten } = await file.writev(group)
  // A disk that fills up writes part of it first and fails on the rest.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(group).subarray(bytesWritten))
}
