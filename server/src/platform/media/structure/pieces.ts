/**
 * A file made from another: a range of it, end exclusive; inserted bytes, in base64; or a number of zeros. Stored with
 * a picture, so that its full size needs no file of its own.
 */
export type Piece = Stretch | string | number
export type Stretch = [from: number, to: number]

/** The most a row may hold. Legitimate files need a dozen; inserted bytes are headers. */
const piecesMax = 256
const putBytesMax = 16 * 1024

export class CannotFollow extends Error {
  override name = 'CannotFollow'
}

export function demand(holds: boolean, what: string): asserts holds {
  if (!holds) throw new CannotFollow(what)
}

/** Collects pieces; adjacent ones are merged. */
export const gather = () => {
  const pieces: Piece[] = []
  let put: Buffer[] = []
  const flush = () => {
    const bytes = Buffer.concat(put)
    put = []
    if (bytes.length > 0) pieces.push(bytes.toString('base64'))
  }
  return {
    keep(from: number, to: number) {
      if (from === to) return
      flush()
      const last = pieces.at(-1)
      if (Array.isArray(last) && last[1] === from) last[1] = to
      else pieces.push([from, to])
    },
    put(bytes: Buffer) {
      put.push(bytes)
    },
    zero(count: number) {
      if (count === 0) return
      flush()
      const last = pieces.at(-1)
      if (typeof last === 'number') pieces[pieces.length - 1] = last + count
      else pieces.push(count)
    },
    all(): Piece[] {
      flush()
      return pieces
    },
  }
}

export const lengthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum: number, piece) => sum + span(piece), 0)

const span = (piece: Piece): number => {
  if (typeof piece === 'number') return piece
  return typeof piece === 'string' ? Buffer.byteLength(piece, 'base64') : piece[1] - piece[0]
}

/**
 * Tells whether these can be pieces of a file of this length: each after the previous one, and in total no longer than
 * it.
 */
export const arePieces = (pieces: readonly Piece[], fileBytes: number): boolean => {
  let behind = 0
  let put = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') put += span(piece)
    else if (typeof piece === 'number') {
      if (!Number.isSafeInteger(piece) || piece <= 0) return false
    } else {
      const [from, to] = piece
      if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < behind || to <= from) return false
      behind = to
    }
  }
  return pieces.length <= piecesMax && behind <= fileBytes && put <= putBytesMax && lengthOf(pieces) <= fileBytes + put
}

/** The pieces of a range, end inclusive. */
export const within = (pieces: readonly Piece[], { start, end }: { start: number; end: number }): Piece[] => {
  const part: Piece[] = []
  let at = 0
  for (const piece of pieces) {
    const length = span(piece)
    const [first, behind] = [Math.max(start - at, 0), Math.min(end + 1 - at, length)]
    at += length
    if (first >= behind) continue
    if (typeof piece === 'number') part.push(behind - first)
    else if (typeof piece === 'string')
      part.push(Buffer.from(piece, 'base64').subarray(first, behind).toString('base64'))
    else part.push([piece[0] + first, piece[0] + behind])
  }
  return part
}

/** The resulting file, for one in memory. */
export const assemble = (file: Buffer, pieces: readonly Piece[]): Buffer[] =>
  pieces.map(piece => {
    if (typeof piece === 'number') return Buffer.alloc(piece)
    return typeof piece === 'string' ? Buffer.from(piece, 'base64') : file.subarray(...piece)
  })
