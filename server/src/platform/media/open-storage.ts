import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { StoragePlace } from '../../storage-settings.ts'
import { openDisk } from './disk.ts'
import { moving } from './moving-storage.ts'
import { openS3 } from './s3.ts'
import type { Storage } from './storage.ts'
import { openTemporaries } from './temporaries.ts'

/** Where files lie on the disk of this data directory. */
export const mediaDirectory = (dataDir: string) => join(dataDir, 'media')

/**
 * The storage that the settings name; while an instance moves, over both places. `tmp` is for files on their way: this
 * process owns it and empties it now. Throws CannotStart when a bucket cannot be used.
 */
export async function openStorage(
  { dataDir, storage: { at, from } }: Pick<Config, 'dataDir' | 'storage'>,
  tmp = join(mediaDirectory(dataDir), 'tmp'),
): Promise<Storage> {
  const open = async (place: StoragePlace) =>
    place === 'disk' ? openDisk(mediaDirectory(dataDir), tmp) : openS3(place, await openTemporaries(tmp))
  const there = await open(at)
  return from === null ? there : moving(there, await open(from))
}
