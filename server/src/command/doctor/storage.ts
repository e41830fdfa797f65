import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaDirectory, openStorage } from '../../platform/media/storage/open-storage.ts'
import type { Storage } from '../../platform/media/storage/storage.ts'
import type { Config } from '../../settings/config.ts'

/**
 * Works on the instance's storage alongside a running service: the service owns its temporaries, so these are separate.
 */
export const withStorage = async <Result>(
  config: Config,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> => {
  const temporaries = join(mediaDirectory(config), `doctor-${process.pid}`)
  try {
    const storage = await openStorage(config, { tmp: temporaries })
    return await work(storage).finally(() => storage.close())
  } finally {
    await rm(temporaries, { recursive: true, force: true }).catch(() => {})
  }
}
