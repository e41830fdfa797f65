import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Puts a small file in place whole: after a crash or a power cut the path holds the old content or the new, never a part.
 * The caller is the only writer of the path. Blocks; meant for the start.
 */
export function writeDurably(path: string, content: string, mode: number): void {
  const unfinished = `${path}.new`
  writeWhole(unfinished, content, mode)
  renameSync(unfinished, path)
  syncDirectory(dirname(path))
}

/** Makes a small file unless it is there: of several who make it at once, one succeeds and the others leave it alone. */
export function makeDurably(path: string, content: string, mode: number): void {
  const unfinished = `${path}.${process.pid}.new`
  writeWhole(unfinished, content, mode)
  try {
    linkSync(unfinished, path)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault
  } finally {
    rmSync(unfinished)
  }
  syncDirectory(dirname(path))
}

function writeWhole(path: string, content: string, mode: number): void {
  const file = openSync(path, 'w', mode)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Puts on disk which names a directory holds, as a rename inside it is lost by a power cut until then. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
