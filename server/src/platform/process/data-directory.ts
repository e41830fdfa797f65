import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from './cannot-start.ts'
import { textOf } from './file-text.ts'

/** Keeps the locks from being garbage-collected, which would release them. */
const held = new Set<DatabaseSync>()

export type DataDirectory = {
  release(): void
  /** After a refused start: releases the lock, and restores directories that were missing or empty. */
  abandon(): void
  /** Tells other starts that it is worth waiting. */
  announceStop(): void
}

/**
 * Creates the directory (mode 0700) if it is missing and locks it for this process alone, until release() or death.
 * Throws CannotStart, naming the other process, if somebody else holds the lock.
 */
export function openDataDirectory(path: string): DataDirectory {
  const made = makeDirectory(path)
  const wasEmpty = readdirSync(path).length === 0
  const lock = takeLock(join(path, 'lock'))
  const pidFile = join(path, 'pid')
  if (!lock) {
    throw new CannotStart(
      `The data directory ${path} is in use by another Afterglow, process ${holder(pidFile)}: stop that first, in order, as by kill ${holder(pidFile)}.`,
    )
  }
  // An earlier version may have left it, or somebody may have opened the directory to others.
  rmSync(pidFile, { force: true })
  writeFileSync(pidFile, `${process.pid}\n`, ownerOnly)
  const letGo = () => {
    if (held.delete(lock)) lock.close()
  }
  return {
    release() {
      rmSync(pidFile, { force: true })
      letGo()
    },
    abandon() {
      rmSync(pidFile, { force: true })
      if (wasEmpty) for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true })
      if (made) removeUpTo(made, path)
      letGo()
    },
    announceStop() {
      writeFileSync(pidFile, `${process.pid} ${stopping}\n`, ownerOnly)
    },
  }
}

const ownerOnly = { mode: 0o600 }

/** Tells whether a service holds it now. Not for the holder itself: checking would release the lock. */
export function isDataDirectoryHeld(path: string): boolean {
  if (!existsSync(join(path, 'lock'))) return false
  const lock = takeLock(join(path, 'lock'))
  if (lock && held.delete(lock)) lock.close()
  return lock === null
}

const stopping = 'stopping'
const stopsWithinMs = 90_000

/** The same, waiting for one that is exiting, as after a restart that was faster than the previous process's end. */
export async function awaitDataDirectory(path: string, tell: (sentence: string) => void): Promise<DataDirectory> {
  const givesUpAt = performance.now() + stopsWithinMs
  for (let told = false; ; told = true) {
    try {
      return openDataDirectory(path)
    } catch (fault) {
      const [pid, state] = textOf(join(path, 'pid')).trim().split(' ')
      if (state !== stopping || performance.now() > givesUpAt) throw fault
      if (!told) tell(`Another Afterglow, process ${pid}, is stopping; waiting for it`)
      await sleep(100)
    }
  }
}

/** The first directory that had to be created, if any. */
function makeDirectory(path: string): string | undefined {
  try {
    const made = mkdirSync(path, { recursive: true, mode: 0o700 })
    chmodSync(path, 0o700)
    return made
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    throw new CannotStart(`The data directory ${path} cannot be made or used (${code}): DATA_DIR names it.`)
  }
}

function removeUpTo(made: string, path: string): void {
  try {
    for (let here = path; here.startsWith(made); here = dirname(here)) rmdirSync(here)
  } catch {
    // Somebody else has put something there.
  }
}

/**
 * SQLite's exclusive transaction on an empty file, for the kernel's lock underneath: it ends with its process, however
 * that dies, so there is no stale lock to judge. A PID in a file would need judging: PIDs are reused, in containers at
 * once. The price: whatever in this process opens and closes that file releases the lock (POSIX); leave it out of
 * backups.
 */
function takeLock(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    chmodSync(path, ownerOnly.mode)
    database.exec('pragma journal_mode = memory; begin exclusive')
    held.add(database)
    return database
  } catch (fault) {
    database.close()
    if ((fault as { errcode?: number }).errcode === 5) return null
    throw fault
  }
}

const holder = (pidFile: string) => textOf(pidFile).trim().split(' ')[0] || 'unknown'
