import { statfs } from 'node:fs/promises'
import { Unavailable } from '../../http/refusals.ts'

const lookEveryMs = 1000
const retryAfterSeconds = 300

/** Free bytes available to us on a directory's disk. */
export const freeBytesOf = async (directory: string): Promise<number> => {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

export type FreeDisk = {
  /** Throws `Unavailable` below the floor. */
  demand(): Promise<void>
  /** Below the floor only short texts are taken, and below half of it none. */
  demandForWords(bytes: number): Promise<void>
  /** Tells whether any text is accepted. */
  hasRoomForWords(): Promise<boolean>
}

/** A message of a few sentences. */
const shortBytes = 1000

/**
 * Ensures that a directory's disk has at least this much left: the database is on it as well, and must keep working
 * when no more files fit. The lower half of it is the database's own: signing in, moderating and deleting always work.
 * Checks at most once a second.
 */
export const openFreeDisk = (directory: string, freeBytesMin: number): FreeDisk => {
  let looked = 0
  let free = Number.POSITIVE_INFINITY
  const look = async () => {
    if (Date.now() - looked >= lookEveryMs) {
      looked = Date.now()
      free = await freeBytesOf(directory).catch(() => Number.POSITIVE_INFINITY)
    }
    return free
  }
  return {
    async demand() {
      if ((await look()) < freeBytesMin)
        throw new Unavailable(
          'The disk of this server is almost full: files cannot be uploaded now.',
          retryAfterSeconds,
        )
    },
    hasRoomForWords: async () => (await look()) >= freeBytesMin / 2,
    async demandForWords(bytes) {
      const least = bytes > shortBytes ? freeBytesMin : freeBytesMin / 2
      if ((await look()) < least)
        throw new Unavailable('The disk of this server is almost full: nothing can be written now.', retryAfterSeconds)
    },
  }
}
