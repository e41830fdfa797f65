import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDisk } from '../src/platform/media/disk.ts'
import type { Storage } from '../src/platform/media/storage.ts'

export type StorageAtHand = {
  storage: Storage
  directory: string
  /** A file beside the storage, as an upload would lie there. */
  uploaded(bytes: Buffer): Promise<string>
  /** Names of temporaries and hashes of files that are there now. */
  temporaries(): Promise<string[]>
  hashes(): Promise<string[]>
  bytesOf(sha256: string): Promise<Buffer>
  end(): Promise<void>
}

/** A real disk storage in a directory of its own. */
export async function storageAtHand(): Promise<StorageAtHand> {
  const home = await mkdtemp(join(tmpdir(), 'afterglow-media-'))
  const directory = join(home, 'media')
  const storage = await openDisk(directory)
  return {
    storage,
    directory,
    async uploaded(bytes) {
      const path = join(home, randomUUID())
      await writeFile(path, bytes)
      return path
    },
    temporaries: () => readdir(join(directory, 'tmp')),
    hashes: async () => (await Array.fromAsync(storage.stored())).map(file => file.sha256),
    async bytesOf(sha256) {
      const { stream } = await storage.open(sha256)
      return Buffer.concat(await stream.toArray())
    },
    end: () => rm(home, { recursive: true, force: true }),
  }
}
