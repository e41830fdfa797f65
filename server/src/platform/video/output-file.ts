import { open } from 'node:fs/promises'
import { sumFile } from '../media/checksums.ts'
import { PictureRefused } from '../media/pictures/picture.ts'
import type { Storage, Temporary } from '../media/storage/storage.ts'
import { VideoRefused } from './refusal.ts'

/** It is created first, so that a sandbox can be given this one file to write. */
export const createEmpty = async ({ path }: Temporary) => (await open(path, 'wx', 0o600)).close()

/** Hashed here rather than by the tool, as for pictures: a compromised tool must not choose the address. */
export const keepVideo = async (storage: Storage, temporary: Temporary) => {
  const sums = await sumFile(temporary.path)
  await storage.put(temporary.path, sums.sha256)
  return { ...sums, type: 'video/mp4' as const }
}

/** Writes a file beside the converted video. Undefined if it fails, because the converted video matters more. */
export const beside = async <Made>(
  storage: Storage,
  work: (target: Temporary) => Promise<Made>,
): Promise<Made | undefined> => {
  const target = storage.temporary()
  try {
    await createEmpty(target)
    return await work(target)
  } catch (error) {
    if (error instanceof VideoRefused || error instanceof PictureRefused) return undefined
    throw error
  } finally {
    await target.remove()
  }
}
