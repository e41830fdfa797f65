import { access, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sync } from '../../process/durable-file.ts'
import {
  type ByteRange,
  demandAddress,
  isAddress,
  NotStored,
  type Storage,
  type StoredFile,
  storageFailure,
} from './storage.ts'
import { openTemporaries } from './temporaries.ts'

const readBytes = 256 * 1024

/**
 * Storage under one local directory: `ab/cd/<sha256>`, and `tmp` on the same file system so that renames are atomic.
 * One process owns each directory of temporaries: what another left there is removed here.
 */
export async function openDisk(directory: string, tmp = join(directory, 'tmp')): Promise<Storage> {
  // Directories whose own entry is known to be on disk, so that a put need not sync their parents again.
  const durable = new Set<string>()
  const temporaries = await openTemporaries(tmp)
  await sync(directory)
  await sync(dirname(directory))

  return {
    temporary: temporaries.fresh,

    async put(temporaryPath, sha256) {
      try {
        const address = addressOf(directory, sha256)
        const now = new Date()
        await utimes(temporaryPath, now, now)
        await sync(temporaryPath)
        await mkdir(dirname(address), { recursive: true, mode: 0o700 })
        // Replaces an identical file: that repairs a corrupted one and resets its age, so that a sweeper that has just
        // found it without a row leaves it alone. Readers keep the old one until they close it.
        await rename(temporaryPath, address)
        // At once, so that the disk commits them together.
        await Promise.all([sync(dirname(address)), syncParents(dirname(address))])
      } catch (error) {
        await rm(temporaryPath, { force: true }).catch(() => {})
        throw storageFailure(error)
      }
    },

    open: async (sha256, range) => openPart(addressOf(directory, sha256), range),

    async has(sha256) {
      return access(addressOf(directory, sha256)).then(
        () => true,
        () => false,
      )
    },

    async find(sha256) {
      try {
        const { size, mtime } = await stat(addressOf(directory, sha256))
        return { sha256, bytes: size, storedAt: mtime }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw storageFailure(error)
      }
    },

    async remove(sha256) {
      await rm(addressOf(directory, sha256), { force: true })
    },

    async *stored() {
      for (const one of await readdir(directory)) {
        if (!/^[0-9a-f]{2}$/.test(one)) continue
        for (const two of await readdir(join(directory, one))) yield* filesIn(join(directory, one, two))
      }
    },

    dropUnfinished: temporaries.dropOlderThan,
    close() {},
  }

  // Another put, even in another process, may have created the directory without having synced its parent yet; so this
  // is only remembered after a sync of our own, never because the directory exists.
  async function syncParents(leaf: string) {
    if (durable.has(leaf)) return
    await Promise.all([sync(dirname(leaf)), sync(directory)])
    durable.add(leaf)
  }
}

/** A path below the directory. Anything but a hash could escape from it. */
export function placeOnDisk(sha256: string): string {
  demandAddress(sha256)
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}

async function openPart(address: string, range: ByteRange | undefined) {
  const file = await open(address, 'r').catch(orNotStored)
  try {
    const { size } = await file.stat()
    const start = range?.start ?? 0
    const end = range?.end ?? size - 1
    const bytes = Math.max(0, Math.min(end, size - 1) - start + 1)
    return { stream: file.createReadStream({ start, end: Math.max(0, end), highWaterMark: readBytes }), bytes }
  } catch (error) {
    await file.close()
    throw storageFailure(error)
  }
}

const addressOf = (directory: string, sha256: string) => join(directory, placeOnDisk(sha256))

function orNotStored(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new NotStored('Not stored.', { cause: error })
  throw storageFailure(error)
}

async function* filesIn(directory: string): AsyncGenerator<StoredFile> {
  for (const sha256 of await readdir(directory)) {
    // A file may be removed while the directory is being scanned.
    const found = await stat(join(directory, sha256)).catch(() => null)
    if (found && isAddress(sha256)) yield { sha256, bytes: found.size, storedAt: found.mtime }
  }
}
