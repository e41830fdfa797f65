import { readFileSync } from 'node:fs'

/**
 * How many files and sockets this process may have open; above that, accepting connections fails in ways that a program
 * does not survive.
 */
export const openFilesMax = (): number => {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return macDefault
  }
}

const macDefault = 10_240
