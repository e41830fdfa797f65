import { constants, existsSync } from 'node:fs'
import { chmod, copyFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from '../platform/database/database.ts'
import { pack } from '../privacy/export-zip.ts'
import type { Config } from '../settings/config.ts'
import { slices } from '../slices.ts'
import { NotDone } from './answer.ts'
import { withStorage } from './doctor/storage.ts'

/**
 * Exports everything of theirs into a new file that only we can read, as they would get it on request. Resolves to its
 * size.
 */
export async function exportInto(db: Database, config: Config, userId: number, file: string): Promise<number> {
  if (existsSync(file)) throw new NotDone(`${file} is there already: name a new file.`)
  if (!existsSync(dirname(file))) throw new NotDone(`There is no directory ${dirname(file)}.`)
  return withStorage(config, async storage => {
    const parts = slices.flatMap(slice => slice.exports ?? [])
    const { path, bytes, remove } = await pack(db, storage, parts, userId)
    try {
      await copyFile(path, file, constants.COPYFILE_EXCL)
      await chmod(file, 0o600)
      return bytes
    } finally {
      await remove()
    }
  })
}
