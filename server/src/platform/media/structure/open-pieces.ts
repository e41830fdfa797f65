import { Readable } from 'node:stream'
import { type ByteRange, NotStored, type Storage } from '../storage/storage.ts'
import { type Piece, within } from './pieces.ts'

const zerosAtOnce = 64 * 1024
const nothing = Buffer.alloc(0)

/**
 * Reads a file made of pieces of a stored one, or part of it. The stored file is opened once, over everything needed,
 * and the gaps, a camera's few kilobytes, are skipped. Throws `NotStored`, also if the stored file is too short.
 */
export const openPieces = async (
  storage: Pick<Storage, 'open'>,
  sha256: string,
  pieces: readonly Piece[],
  range?: ByteRange,
): Promise<Readable> => {
  const wanted = range ? within(pieces, range) : pieces
  const stretches = wanted.filter(piece => Array.isArray(piece))
  const [first, last] = [stretches[0], stretches.at(-1)]
  if (!first || !last) return Readable.from(woven(Readable.from([]), 0, wanted), { objectMode: false })
  const { stream, bytes } = await storage.open(sha256, { start: first[0], end: last[1] - 1 })
  if (bytes === last[1] - first[0]) return readableOf(woven(stream, first[0], wanted), stream)
  stream.destroy()
  throw new NotStored('The stored file is shorter than its pieces.')
}

/** Bytes derived from a source, which is closed with them: an iterator that was never started runs no `finally`. */
export const readableOf = (bytes: AsyncGenerator<Buffer>, source: Readable): Readable =>
  Readable.from(bytes, { objectMode: false }).once('close', () => source.destroy())

/** `at` is where the stream begins in the stored file. */
async function* woven(stream: Readable, at: number, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let chunk: Buffer = nothing
  try {
    for (const piece of pieces) {
      if (typeof piece === 'string') yield Buffer.from(piece, 'base64')
      else if (typeof piece === 'number')
        for (let left = piece; left > 0; left -= zerosAtOnce) yield Buffer.alloc(Math.min(left, zerosAtOnce))
      else
        while (at < piece[1]) {
          if (chunk.length === 0) {
            const { value, done } = await chunks.next()
            if (done) throw new NotStored('The stored file ended before its pieces.')
            chunk = value
          }
          const skipped = Math.min(Math.max(piece[0] - at, 0), chunk.length)
          const part = chunk.subarray(skipped, Math.min(chunk.length, piece[1] - at))
          at += skipped + part.length
          chunk = chunk.subarray(skipped + part.length)
          if (part.length > 0) yield part
        }
    }
  } finally {
    stream.destroy()
  }
}
