import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDataDirectory } from '../../process/data-directory.ts'

/**
 * A directory of this process's own among those of others, after removing what dead processes left behind. The lock in
 * each shows whether its owner is alive, on any machine that shares the directory; it is released with the process.
 */
export const takeOwn = (all: string): string => {
  const own = join(all, randomUUID())
  openDataDirectory(own)
  for (const name of readdirSync(all)) {
    const path = join(all, name)
    if (path !== own) removeUnlessHeld(path)
  }
  return join(own, 'files')
}

const removeUnlessHeld = (path: string) => {
  try {
    // Left by a process that had the whole directory for itself.
    if (statSync(path).isFile()) return rmSync(path, { force: true })
    const lock = openDataDirectory(path)
    try {
      rmSync(path, { recursive: true, force: true })
    } finally {
      lock.release()
    }
  } catch {
    // Its owner is alive, or another process is removing it as well.
  }
}
