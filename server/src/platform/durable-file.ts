import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Puts a small file in place whole: after a crash or a power cut the path holds the old content or the new, never a part.
 * The caller is the only writer of the path. Blocks; meant for the start.
 */
export function writeDurably(path: string, content: string, mode: number): void {
  const unfinished = `${path}.new`
  const file = openSync(unfinished, 'w', mode)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
  syncDirectory(dirname(path))
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
