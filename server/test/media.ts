import { createHash, randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDisk } from '../src/platform/media/storage/disk.ts'
import type { Storage } from '../src/platform/media/storage/storage.ts'
import { newFolder } from './new-folder.ts'

export type StorageAtHand = {
  storage: Storage
  directory: string
  /** A file outside the storage, as an upload would leave it. */
  uploaded(bytes: Buffer): Promise<string>
  /** Stores bytes as an upload would; returns their hash. */
  put(bytes: Buffer): Promise<string>
  /** Current temporaries, and hashes of current files. */
  temporaries(): Promise<string[]>
  hashes(): Promise<string[]>
  bytesOf(sha256: string): Promise<Buffer>
  end(): Promise<void>
}

/** A real disk storage in its own directory. */
export async function storageAtHand(): Promise<StorageAtHand> {
  const home = newFolder('media')
  const directory = join(home, 'media')
  return atHand({
    storage: await openDisk(directory),
    home,
    directory,
    end: () => rm(home, { recursive: true, force: true }),
  })
}

type OpenedStorage = { storage: Storage; home: string; directory: string; end(): Promise<void> }

export const atHand = ({ storage, home, directory, end }: OpenedStorage): StorageAtHand => ({
  storage,
  directory,
  async uploaded(bytes) {
    const path = join(home, randomUUID())
    await writeFile(path, bytes)
    return path
  },
  async put(bytes) {
    const { path } = storage.temporary()
    await writeFile(path, bytes, { mode: 0o600 })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await storage.put(path, sha256)
    return sha256
  },
  temporaries: () => readdir(join(directory, 'tmp')),
  hashes: async () => (await Array.fromAsync(storage.stored())).map(file => file.sha256),
  async bytesOf(sha256) {
    const { stream } = await storage.open(sha256)
    return Buffer.concat(await stream.toArray())
  },
  async end() {
    storage.close()
    await end()
  },
})
