import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { box } from './heic.ts'

/* Places for text in a picture beside its pixels: to make files differ, and to check which text survives. */

/** The same picture, with bytes in a block that no decoder reads. */
export const withComment = (picture: Buffer, words: string): Buffer => {
  const text = Buffer.from(words)
  if (isJpeg(picture)) return behind(picture, 2, jpegSegment(0xfe, text))
  if (isPng(picture)) return behind(picture, 33, pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), text])))
  if (isWebp(picture)) return webpOf([...webpChunks(picture), riffChunk('note', text)])
  if (isGif(picture)) return behind(picture, endOfGifTable(picture), gifBlock(0xfe, text))
  // A brand's version has no meaning; an additional box would move what the others point at.
  const changed = Buffer.from(picture)
  changed.writeUInt32BE(crc32(text), 12)
  return changed
}

/** The same JPEG in a larger file: random bytes in a block of the camera's. */
export const padded = (jpeg: Buffer, bytes: number): Buffer => {
  const parts = []
  for (let left = bytes; left > 0; left -= segmentBytesMax)
    parts.push(jpegSegment(0xeb, randomBytes(Math.min(left, segmentBytesMax))))
  return behind(jpeg, 2, Buffer.concat(parts))
}
const segmentBytesMax = 65_533

const isJpeg = (picture: Buffer) => picture.readUInt16BE(0) === 0xffd8
const isPng = (picture: Buffer) => picture.toString('latin1', 1, 4) === 'PNG'
const isWebp = (picture: Buffer) => picture.toString('latin1', 8, 12) === 'WEBP'
const isGif = (picture: Buffer) => picture.toString('latin1', 0, 3) === 'GIF'

const behind = (picture: Buffer, at: number, block: Buffer) =>
  Buffer.concat([picture.subarray(0, at), block, picture.subarray(at)])

export const jpegSegment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** A JPEG with a TIFF block first. */
export const withExif = (jpeg: Buffer, exif: Buffer): Buffer =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif])),
    jpeg.subarray(2),
  ])

export const pngChunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

export const riffChunk = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

const webpChunks = (picture: Buffer): Buffer[] => {
  const chunks = []
  for (let at = 12; at < picture.length; ) {
    const length = picture.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    chunks.push(picture.subarray(at, end))
    at = end
  }
  return chunks
}
const webpOf = (chunks: readonly Buffer[]) => riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))

export const gifBlock = (label: number, body: Buffer): Buffer => {
  const parts: Buffer[] = [Buffer.from([0x21, label])]
  for (let at = 0; at < body.length; at += 255) {
    const part = body.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat([...parts, Buffer.from([0])])
}
const endOfGifTable = (picture: Buffer) =>
  13 + (((picture[10] as number) & 0x80) === 0 ? 0 : 3 * 2 ** (((picture[10] as number) & 7) + 1))

/**
 * The same picture with a word in every block of its format that can hold one, and after its end. JPEG: each APP but
 * those of ICC, comments, JFIF's thumbnail and data after Adobe's; PNG: texts, EXIF, time, unknown chunks, a profile's
 * name; WebP: EXIF, XMP, unknown chunks; GIF: comments, XMP, unknown extensions; HEIC and AVIF: boxes, items,
 * properties.
 */
export const planted = (picture: Buffer, word: string): Buffer => {
  const words = Buffer.from(`${word} ${word}`)
  if (isJpeg(picture)) return plantedJpeg(picture, words)
  if (isPng(picture)) return plantedPng(picture, words)
  if (isWebp(picture)) return plantedWebp(picture, words)
  return isGif(picture) ? plantedGif(picture, words) : plantedHeif(picture, words)
}

const named = (name: string, words: Buffer) => Buffer.concat([Buffer.from(name, 'latin1'), words])

const plantedJpeg = (picture: Buffer, words: Buffer) => {
  const thumbnail = Buffer.concat([Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01', 'latin1'), Buffer.from([1, 1]), words])
  const apps = Array.from({ length: 16 }, (_, n) => jpegSegment(0xe0 + n, named(`Words${n}\0`, words)))
  const segments = [
    jpegSegment(0xe0, thumbnail),
    ...apps,
    jpegSegment(0xe1, named('Exif\0\0', Buffer.concat([Buffer.from('II*\0\x08\0\0\0\0\0', 'latin1'), words]))),
    jpegSegment(0xe1, named('http://ns.adobe.com/xap/1.0/\0', words)),
    jpegSegment(0xe2, named('MPF\0', words)),
    jpegSegment(0xed, named('Photoshop 3.0\0', words)),
    jpegSegment(0xfe, words),
  ]
  const end = picture.length - 2
  return Buffer.concat([
    picture.subarray(0, 2),
    ...segments,
    picture.subarray(2, end),
    jpegSegment(0xfe, words),
    picture.subarray(end),
    words,
  ])
}

const plantedPng = (picture: Buffer, words: Buffer) => {
  const chunks = [
    pngChunk('tEXt', named('Title\0', words)),
    pngChunk('zTXt', Buffer.concat([named('', words), Buffer.from('\0\0'), deflateSync(words)])),
    pngChunk('iTXt', named('XML:com.adobe.xmp\0\0\0\0\0', words)),
    pngChunk('sPLT', named('', words)),
    pngChunk('woRd', words),
    pngChunk('teXt', words),
  ]
  const end = picture.length - 12
  return Buffer.concat([
    picture.subarray(0, 33),
    ...chunks,
    picture.subarray(33, end),
    pngChunk('eXIf', Buffer.concat([Buffer.from('II*\0\x08\0\0\0\0\0', 'latin1'), words])),
    pngChunk('tEXt', named('End\0', words)),
    picture.subarray(end),
    words,
  ])
}

const plantedWebp = (picture: Buffer, words: Buffer) => {
  const more = [riffChunk('EXIF', words), riffChunk('XMP ', words), riffChunk('word', words)]
  return Buffer.concat([webpOf([...webpChunks(picture), ...more]), words])
}

const plantedGif = (picture: Buffer, words: Buffer) => {
  const at = endOfGifTable(picture)
  const end = picture.length - 1
  const application = (name: string) => {
    const block = gifBlock(0xff, words)
    return Buffer.concat([block.subarray(0, 2), Buffer.from([11]), Buffer.from(name, 'latin1'), block.subarray(2)])
  }
  return Buffer.concat([
    picture.subarray(0, at),
    gifBlock(0xfe, words),
    application('XMP DataXMP'),
    application('NETSCAPE2.0'),
    gifBlock(0xcc, words),
    picture.subarray(at, end),
    gifBlock(0xfe, words),
    picture.subarray(end),
    words,
  ])
}

/** Words in boxes at the end; heic.ts writes those within. */
const plantedHeif = (picture: Buffer, words: Buffer) =>
  Buffer.concat([picture, box('free', words), box('uuid', Buffer.alloc(16), words), box('mpvd', words), words])
