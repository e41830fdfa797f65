import type { Readable } from 'node:stream'

/*
 * The protocol on a decoder's standard input and output, in both directions: the length of a header (4 bytes), the
 * header in JSON, then the files whose lengths it names. Neither side trusts the other: a length is checked before it
 * is read.
 */

export type Head = { id: string; files: readonly number[] }

const headBytesMax = 64 * 1024

/** The other side sent something that no message may contain. */
export class BrokenMessage extends Error {
  override name = 'BrokenMessage'
}

/** The other side is gone, or has closed its stream. */
export class NoMessage extends Error {
  override name = 'NoMessage'
}

export const encodeHead = (head: Head): Buffer => {
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text])
}

export type MessageReader = {
  /** The header of the next message, unvalidated. */
  head(): Promise<unknown>
  bytes(count: number): Promise<Buffer>
  /** The same as a stream; must be read to its end. */
  stream(count: number): AsyncGenerator<Buffer>
  /** Tells whether unread data has arrived. */
  hasMore(): boolean
}

/**
 * All throw `BrokenMessage` or `NoMessage`. One chunk is read ahead, so that the end of the stream is noticed while
 * nobody reads.
 */
export const openMessageReader = (from: Readable): MessageReader => {
  const pieces = from[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)
  let arrived = false
  let ahead = fetchAhead()

  function fetchAhead() {
    arrived = false
    const next = pieces.next()
    next.then(
      ({ done }) => {
        arrived = !done
      },
      () => {},
    )
    return next
  }

  async function* stream(count: number) {
    for (let left = count; left > 0; ) {
      if (rest.length === 0) {
        const { done, value } = await ahead.catch(() => ({ done: true, value: undefined }) as const)
        if (done) throw new NoMessage('it ended within a message')
        rest = value
        ahead = fetchAhead()
      }
      const piece = rest.subarray(0, left)
      rest = rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  const bytes = async (count: number) => {
    const all = Buffer.allocUnsafeSlow(count)
    let at = 0
    for await (const piece of stream(count)) at += piece.copy(all, at)
    return all
  }

  return {
    stream,
    bytes,
    hasMore: () => rest.length > 0 || arrived,
    async head() {
      const length = (await bytes(4)).readUInt32BE()
      if (length > headBytesMax) throw new BrokenMessage(`a head of ${length} bytes`)
      const text = await bytes(length)
      try {
        return JSON.parse(text.toString())
      } catch {
        throw new BrokenMessage('a head that is no JSON')
      }
    },
  }
}
