import { crc32 } from 'node:zlib'
import type { PictureType } from '../pictures/sniffed-type.ts'
import { readGif } from './gif.ts'
import { readHeif } from './heif.ts'
import { readJpeg } from './jpeg.ts'
import { arePieces, assemble, CannotFollow, lengthOf, type Piece, type Stretch } from './pieces.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

export type Structure = {
  /** The end of the picture, including data that it declares after itself. */
  end: number
  /** The same picture without metadata: the exact bytes of its pixels. Null if they cannot be separated. */
  pieces: Piece[] | null
  /** The range of a motion photo's video. */
  film?: Stretch | null
  /** The file ends before its picture does. */
  incomplete?: true
}

/** The full-size file, made from the original. */
export type FullSize = {
  bytes: number
  crc32: number
  pieces: Piece[]
  /** The uploaded file ends before its picture does. */
  incomplete?: true
}

/**
 * `end` is null for a file that is inconsistent, truncated, or uses features nobody needs: it may be decoded, and is
 * handed out re-encoded.
 */
export type Read = { end: number | null; full: FullSize | null; film: Stretch | null; incomplete: boolean }

/**
 * Parses a picture's structure to its end. `orientation`, as the decoder understood it, is all that is kept of the
 * camera's metadata.
 */
export const readStructure = (file: Buffer, type: PictureType, orientation = 1): Read => {
  try {
    const { end, pieces, film = null, incomplete = false } = structureOf(file, type, orientation)
    if (!pieces || !arePieces(pieces, file.length)) return { end, full: null, film, incomplete }
    const sum = assemble(file, pieces).reduce((sum, part) => crc32(part, sum), 0)
    return { end, film, full: { bytes: lengthOf(pieces), crc32: sum, pieces }, incomplete }
  } catch (error) {
    // A length that leads out of the file.
    if (error instanceof CannotFollow || error instanceof RangeError)
      return { end: null, full: null, film: null, incomplete: false }
    throw error
  }
}

/** Tells whether a JPEG lacks its end: decoders draw it as far as it goes. */
export const isIncomplete = (file: Buffer): boolean => {
  try {
    return readJpeg(file, 1, { lenient: true }).incomplete ?? false
  } catch (error) {
    if (error instanceof CannotFollow || error instanceof RangeError) return false
    throw error
  }
}

const structureOf = (file: Buffer, type: PictureType, orientation: number): Structure => {
  if (type === 'image/jpeg') return readJpeg(file, orientation, { lenient: true })
  if (type === 'image/png') return readPng(file, orientation)
  if (type === 'image/webp') return readWebp(file, orientation)
  return type === 'image/gif' ? readGif(file) : readHeif(file)
}
