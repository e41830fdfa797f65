import { crc32 } from 'node:zlib'
import { readJpeg } from '../structure/jpeg.ts'
import { assemble, CannotFollow, lengthOf, type Piece } from '../structure/pieces.ts'
import type { FullSize } from '../structure/read-structure.ts'
import type { CaptureData } from './exif.ts'
import { readExif } from './exif.ts'

/*
 * RAW files, which cameras write beside or instead of pictures: sensor data, which nothing here looks at, and somewhere
 * in it the JPEG that the camera shows on its own screen. None of the file's directories is trusted: a JPEG is found by
 * its first bytes, and parsed to its end.
 */

export type RawType =
  | 'image/x-canon-cr2'
  | 'image/x-canon-cr3'
  | 'image/x-nikon-nef'
  | 'image/x-sony-arw'
  | 'image/x-adobe-dng'
  | 'image/x-fujifilm-raf'
  | 'image/x-olympus-orf'
  | 'image/x-panasonic-rw2'

export const isRaw = (type: string): type is RawType =>
  /^image\/x-(?:canon|nikon|sony|adobe|fujifilm|olympus|panasonic)-/.test(type)

/** The full size of a picture: for a RAW, the JPEG in it. */
export const fullTypeOf = (originalType: string): string => (isRaw(originalType) ? 'image/jpeg' : originalType)

/** Recognises a RAW by its first bytes; null for anything else, including a plain TIFF. */
export const detectRaw = (head: Buffer): RawType | null => {
  const begins = head.toString('latin1', 0, 16)
  if (begins.startsWith('FUJIFILMCCD-RAW')) return 'image/x-fujifilm-raf'
  if (begins.slice(4, 12) === 'ftypcrx ') return 'image/x-canon-cr3'
  if (/^(?:IIR[OS]|MMOR)/.test(begins)) return 'image/x-olympus-orf'
  if (begins.startsWith('IIU\0')) return 'image/x-panasonic-rw2'
  if (!/^(?:II\*\0|MM\0\*)/.test(begins)) return null
  if (begins.slice(8, 11) === 'CR\x02') return 'image/x-canon-cr2'
  const { dng, maker } = readDirectory(head)
  if (dng) return 'image/x-adobe-dng'
  if (/^NIKON/i.test(maker)) return 'image/x-nikon-nef'
  return /^SONY/i.test(maker) ? 'image/x-sony-arw' : null
}

const entriesMax = 512

/**
 * Only the needed tags of a TIFF, or of what some makers identify by another number; entries with false offsets are
 * absent.
 */
const readDirectory = (file: Buffer) => {
  const found = { dng: false, maker: '', orientation: 1 }
  const little = file.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (little ? file.readUInt16LE(at) : file.readUInt16BE(at))
  const u32 = (at: number) => (little ? file.readUInt32LE(at) : file.readUInt32BE(at))
  try {
    const begin = u32(4)
    for (let at = begin + 2, left = Math.min(u16(begin), entriesMax); left > 0; at += 12, left -= 1) {
      const tag = u16(at)
      if (tag === 0xc612) found.dng = true
      if (tag === 0x10f) found.maker = file.toString('latin1', u32(at + 8), u32(at + 8) + 8)
      if (tag === 0x112 && u16(at + 8) >= 1 && u16(at + 8) <= 8) found.orientation = u16(at + 8)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return found
}

export type OpenedRaw = {
  /** The JPEG, without metadata except its orientation. */
  picture: Buffer
  /** The same as pieces of the file. */
  full: FullSize
  told: CaptureData
}

/** The largest picture in a RAW; null if there is none that can be parsed. */
export const openRaw = (file: Buffer, type: RawType): OpenedRaw | null => {
  const preview = largestPreview(file)
  if (!preview) return null
  const jpeg = file.subarray(preview.from)
  // Fujifilm cameras write into the preview what others write into the file.
  const own = type === 'image/x-fujifilm-raf' ? exifWithin(jpeg) : exifOf(file, type)
  const pieces = moved(readJpeg(jpeg, orientationOf(own)).pieces ?? [], preview.from)
  const parts = assemble(file, pieces)
  const sum = parts.reduce((sum, part) => crc32(part, sum), 0)
  return {
    picture: Buffer.concat(parts),
    full: { bytes: lengthOf(pieces), crc32: sum, pieces },
    told: readExif(own),
  }
}

const orientationOf = (exif: Buffer | undefined) => (exif ? readDirectory(exif).orientation : 1)

const moved = (pieces: readonly Piece[], by: number) =>
  pieces.map(piece => (Array.isArray(piece) ? ([piece[0] + by, piece[1] + by] satisfies Piece) : piece))

/**
 * Sensor data occasionally looks like the beginning of a JPEG; a file made of beginnings is not searched to its end.
 */
const beginningsMax = 64
const searchMsMax = 4000
const beginning = Buffer.from([0xff, 0xd8, 0xff])

const largestPreview = (file: Buffer) => {
  let best: { from: number; pixels: number } | undefined
  const until = performance.now() + searchMsMax
  let at = file.indexOf(beginning)
  for (let left = beginningsMax; at >= 0 && left > 0 && performance.now() < until; left -= 1) {
    const found = pictureAt(file.subarray(at))
    if (found && found.pixels > (best?.pixels ?? 0)) best = { from: at, pixels: found.pixels }
    at = file.indexOf(beginning, at + (found?.length ?? beginning.length))
  }
  return best
}

/** For a JPEG that can be parsed and displayed: sensor data may also be a lossless one, which no browser draws. */
const pictureAt = (jpeg: Buffer) => {
  const frame = frameOf(jpeg)
  if (!frame) return undefined
  try {
    const last = readJpeg(jpeg, 1).pieces?.at(-1)
    return Array.isArray(last) ? { length: last[1], pixels: frame.width * frame.height } : undefined
  } catch (error) {
    if (error instanceof CannotFollow || error instanceof RangeError) return undefined
    throw error
  }
}

const shown = new Set([0xc0, 0xc1, 0xc2])

const frameOf = (jpeg: Buffer) => {
  for (let at = 2; at + 9 < jpeg.length && jpeg[at] === 0xff; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1] as number
    if (shown.has(marker)) return { height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) }
    if (marker < 0xc4 || marker === 0xda) return undefined
  }
  return undefined
}

/** Makers write time and place here; everything further back is data. */
const headBytes = 256 * 1024

const exifOf = (file: Buffer, type: RawType): Buffer | undefined => {
  if (type === 'image/x-canon-cr3') return boxNamed(file, 'CMT1')
  const head = Buffer.from(file.subarray(0, headBytes))
  // Some makers give their TIFF another number.
  if (head[0] === 0x49) head.writeUInt16LE(42, 2)
  else head.writeUInt16BE(42, 2)
  return head
}

const boxNamed = (file: Buffer, name: string) => {
  const at = file.subarray(0, headBytes).indexOf(name, 0, 'latin1')
  return at < 4 ? undefined : file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4))
}

const exifWithin = (jpeg: Buffer) => {
  if (jpeg.toString('latin1', 6, 12) !== 'Exif\0\0') return undefined
  return jpeg.subarray(12, 4 + jpeg.readUInt16BE(4))
}
