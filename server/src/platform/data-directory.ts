import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from './cannot-start.ts'

/** Keeps the locks from the garbage collector, which would let go of them. */
const held = new Set<DatabaseSync>()

/**
 * Makes the directory (mode 0700) where it is missing and takes it for this process alone, until release() or death.
 * Throws CannotStart, naming the other process, while somebody else holds it.
 */
export function openDataDirectory(path: string): { release(): void } {
  makeDirectory(path)
  const lock = takeLock(join(path, 'lock'))
  const pidFile = join(path, 'pid')
  if (!lock) {
    throw new CannotStart(`The data directory ${path} is in use by another Afterglow, process ${holder(pidFile)}.`)
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return {
    release() {
      if (!held.delete(lock)) return
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    chmodSync(path, 0o700)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    throw new CannotStart(`The data directory ${path} cannot be made or used (${code}): DATA_DIR names it.`)
  }
}

/**
 * SQLite's exclusive transaction on an empty file, for the kernel's own lock below it: it ends with its process, however
 * that dies, so there is no stale lock to judge. A pid in a file would need that: pids come again, in containers at once.
 * The price: whoever in this process opens and closes that file lets go of the lock (POSIX); leave it out of backups.
 */
function takeLock(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
    held.add(database)
    return database
  } catch (fault) {
    database.close()
    if ((fault as { errcode?: number }).errcode === 5) return null
    throw fault
  }
}

function holder(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim() || 'unknown'
  } catch {
    return 'unknown'
  }
}
