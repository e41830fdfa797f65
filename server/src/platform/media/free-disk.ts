import { statfs } from 'node:fs/promises'
import { Unavailable } from '../http/refusals.ts'

const lookEveryMs = 1000
const retryAfterSeconds = 300

/** Free bytes available to us on a directory's disk. */
export const freeBytesOf = async (directory: string): Promise<number> => {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/**
 * Ensures that a directory's disk has at least this much left: the database is on it as well, and must keep working
 * when no more files fit. Throws `Unavailable`. Checks at most once a second.
 */
export const openFreeDisk = (directory: string, freeBytesMin: number) => {
  let looked = 0
  let free = Number.POSITIVE_INFINITY
  return async () => {
    if (Date.now() - looked >= lookEveryMs) {
      looked = Date.now()
      free = await freeBytesOf(directory).catch(() => Number.POSITIVE_INFINITY)
    }
    if (free < freeBytesMin)
      throw new Unavailable('The disk of this server is almost full: files cannot be uploaded now.', retryAfterSeconds)
  }
}
