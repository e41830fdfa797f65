import { join } from 'node:path'
import type { Config } from '../../../settings/config.ts'
import type { StoragePlace } from '../../../settings/storage-settings.ts'
import { openDisk } from './disk.ts'
import { takeOwn } from './own-directory.ts'
import { openS3, type WhenUnreachable } from './s3.ts'
import type { Storage } from './storage.ts'
import { moving } from './storage-migration.ts'
import { openTemporaries } from './temporaries.ts'

/** The directory of files on disk. */
export const mediaDirectory = ({ dataDir, storage }: Where) => storage.directory ?? join(dataDir, 'media')

type Where = Pick<Config, 'dataDir' | 'storage'>

/**
 * The storage according to the settings; while an instance moves, both places together. `tmp` is for incoming files:
 * this process owns it and empties it now; by default it is its own directory among those of others, if the directory
 * is shared. Throws CannotStart if a bucket cannot be used; one that does not answer may be tolerated
 * (`whenUnreachable`).
 */
export async function openStorage(
  where: Where,
  { tmp = temporariesOf(where), whenUnreachable }: { tmp?: string; whenUnreachable?: WhenUnreachable } = {},
): Promise<Storage> {
  const { at, from } = where.storage
  const directory = mediaDirectory(where)
  const open = async (place: StoragePlace) =>
    place === 'disk'
      ? openDisk(directory, tmp)
      : openS3(place, await openTemporaries(tmp), { ...(whenUnreachable && { whenUnreachable }) })
  const there = await open(at)
  return from === null ? there : moving(there, await open(from))
}

const temporariesOf = (where: Where) => {
  const all = join(mediaDirectory(where), 'tmp')
  return where.storage.directory === null ? all : takeOwn(all)
}
