import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import { NotStored, type Storage, type StoredFile } from './storage.ts'

export type Move = {
  files: number
  bytes: number
  copied: number
  copiedBytes: number
  /** Already there, with their length. */
  there: number
  /** Their bytes do not match their address: they were left where they are. */
  damaged: string[]
}

export type Moving = {
  /** Files in transit at once. */
  atOnce?: number
  onProgress?: (soFar: Move) => void
  signal?: AbortSignal
}

/**
 * Copies every file from one storage to another while both are in use. Each is hashed on its way, and counts as copied
 * only once the other storage has proven it; so it can be stopped or killed at any time, and continues when called
 * again. Damaged files are named at the end; any other error ends it.
 */
export const moveFiles = async (
  from: Storage,
  to: Storage,
  { atOnce = 4, onProgress, signal }: Moving = {},
): Promise<Move> => {
  const move: Move = { files: 0, bytes: 0, copied: 0, copiedBytes: 0, there: 0, damaged: [] }
  const limit = pLimit(atOnce)
  const moveOne = async (file: StoredFile) => {
    signal?.throwIfAborted()
    const known = await to.find(file.sha256)
    if (known?.bytes === file.bytes) move.there += 1
    else if (await copy(file.sha256, from, to, move)) {
      move.copied += 1
      move.copiedBytes += file.bytes
    }
    onProgress?.(move)
  }

  const faults: unknown[] = []
  const underWay = new Set<Promise<void>>()
  for await (const file of from.stored()) {
    if (faults.length > 0) break
    move.files += 1
    move.bytes += file.bytes
    const moved = limit(() => moveOne(file))
      .catch(fault => void faults.push(fault))
      .finally(() => underWay.delete(moved))
    underWay.add(moved)
    // The queue of listed files is bounded, however many there are.
    if (underWay.size >= 4 * atOnce) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  if (faults.length > 0) throw faults[0]
  return move
}

/** False if it is damaged in the source; a file that is gone by now needs no copy. */
const copy = async (sha256: string, from: Storage, to: Storage, { damaged }: Move): Promise<boolean> => {
  const temporary = to.temporary()
  try {
    const { stream } = await from.open(sha256)
    const hash = createHash('sha256')
    const hashing = new Transform({
      transform(chunk, _, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    await pipeline(stream, hashing, createWriteStream(temporary.path, { flags: 'wx', mode: 0o600 }))
    if (hash.digest('hex') !== sha256) {
      damaged.push(sha256)
      return false
    }
    await to.put(temporary.path, sha256)
    return true
  } catch (error) {
    if (error instanceof NotStored) return false
    throw error
  } finally {
    await temporary.remove()
  }
}
