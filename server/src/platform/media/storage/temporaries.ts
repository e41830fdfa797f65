import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Temporary } from './storage.ts'

export type Temporaries = {
  /** A fresh path; nothing is created yet. */
  fresh(): Temporary
  /** Removes temporaries not written to since; returns their number. */
  dropOlderThan(before: Date): Promise<number>
}

/** A local directory for incoming files. One process owns it: what another left there is removed here. */
export const openTemporaries = async (directory: string): Promise<Temporaries> => {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  return {
    fresh() {
      const path = join(directory, randomUUID())
      // If a failing disk refuses, the next start removes it.
      return { path, remove: () => rm(path, { force: true }).catch(() => {}) }
    },

    async dropOlderThan(before) {
      let dropped = 0
      for (const name of await readdir(directory)) {
        const path = join(directory, name)
        // Its owner may remove it at any time.
        const found = await stat(path).catch(() => null)
        if (!found || found.mtime >= before) continue
        await rm(path, { force: true })
        dropped += 1
      }
      return dropped
    },
  }
}
