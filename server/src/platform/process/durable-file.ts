import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a small file atomically: after a crash or a power cut the path holds the old content or the new, never a part.
 * The caller is the only writer of the path. Blocks; meant for startup.
 */
export function writeDurably(path: string, content: string, mode: number): void {
  const unfinished = `${path}.new`
  writeWhole(unfinished, content, mode)
  renameSync(unfinished, path)
  syncDirectory(dirname(path))
}

/**
 * Creates a small file unless it exists: of several who create it at once, one succeeds and the others leave it alone.
 */
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

/** Makes a directory's names durable, because a power cut otherwise loses a rename inside it. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

/** Makes a file's content durable, or a directory's names. */
export async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
