import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { NotStored, type Storage } from '../storage/storage.ts'

/** As large as a preview becomes. */
export const smallBytesMax = 128 * 1024
const keptBytesMax = 32 * 1024 * 1024
/** Nothing that was deleted stays in memory for long, although no row leads to it. */
const keptMs = 10 * 60_000

/**
 * Reads small files whole, and keeps those that were just looked at: everybody at a party looks at the same newest
 * ones, and a file never changes under its hash. Throws `NotStored`, also if a file has not the length it should have.
 */
export const openSmallFiles = (storage: Pick<Storage, 'open'>) => {
  const kept = new LRUCache<string, Buffer, number>({
    maxSize: keptBytesMax,
    sizeCalculation: ({ length }) => Math.max(1, length),
    ttl: keptMs,
    async fetchMethod(sha256, _stale, { context: bytesExpected }) {
      const { stream, bytes } = await storage.open(sha256)
      if (bytes === bytesExpected) return buffer(stream)
      stream.destroy()
      throw new NotStored('The file has not the length of its row.')
    },
  })
  return (sha256: string, bytes: number) => kept.forceFetch(sha256, { context: bytes })
}
