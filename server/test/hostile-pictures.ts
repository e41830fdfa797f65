import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/* Files made byte by byte to attack a decoder, none larger than needed. */

/** A PNG that declares any size over hardly any pixels, with extra chunks before them. */
export function pngClaiming(width: number, height: number, extra: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const pixels = deflateSync(Buffer.alloc(Math.min(height, 64) * (1 + Math.min(width, 64) * 3)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A text chunk that expands to `bytes`, from a thousandth of that. */
export const zTXtOf = (bytes: number) =>
  chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(bytes, 'A'))]))

/** An ICC profile chunk that expands to `bytes`. */
export const iCCPOf = (bytes: number) =>
  chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), deflateSync(Buffer.alloc(bytes, 'A'))]))

/** A GIF of `frames` frames of any declared size, over one pixel each. */
export function gifOf(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from([0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  frame.writeUInt16LE(width, 13)
  frame.writeUInt16LE(height, 15)
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...Array(frames).fill(frame), Buffer.from(';')])
}

/** A WebP of `frames` frames on a canvas of any declared size, over one pixel each. */
export async function webpOf(width: number, height: number, frames: number): Promise<Buffer> {
  const still = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#f00' } })
    .webp({ lossless: true })
    .toBuffer()
  const u24 = (value: number) => Buffer.from([value & 255, (value >> 8) & 255, value >> 16])
  const part = (kind: string, content: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(kind, 'latin1')
    head.writeUInt32LE(content.length, 4)
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
  }
  // Its position, size and duration; then the picture as in a still.
  const place = Buffer.concat([u24(0), u24(0), u24(0), u24(0), u24(100), Buffer.from([0])])
  const frame = part('ANMF', Buffer.concat([place, still.subarray(12)]))
  const head = part('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), u24(width - 1), u24(height - 1)]))
  const body = Buffer.concat([Buffer.from('WEBP'), head, part('ANIM', Buffer.alloc(6)), ...Array(frames).fill(frame)])
  return part('RIFF', body)
}

/** The first box of a phone's HEIC (or of another format, by its brands), with nothing after it. */
export function ftyp(...brands: string[]): Buffer {
  const box = Buffer.concat([Buffer.from(`\0\0\0\0ftyp${brands[0]}\0\0\0\0${brands.join('')}`, 'latin1')])
  box.writeUInt32BE(box.length, 0)
  return Buffer.concat([box, Buffer.alloc(64)])
}

/** Files named `.jpg` that are no pictures. */
export const impostors: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from([0xff]),
  zeros: Buffer.alloc(4096),
  'a web page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
  'a PDF': Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  'a ZIP': Buffer.from('504b0304140000000000000021000000000000000000000000000500000061', 'hex'),
  'a playlist': Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST'),
  'an ImageMagick script': Buffer.from('push graphic-context\nimage over 0,0 0,0 "https://127.0.0.1/x"'),
  'an executable': Buffer.from('7f454c4602010100000000000000000002003e00', 'hex'),
}

function chunk(kind: string, content: Buffer): Buffer {
  const framed = Buffer.alloc(12 + content.length)
  framed.writeUInt32BE(content.length, 0)
  framed.write(kind, 4, 'latin1')
  content.copy(framed, 8)
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + content.length)), 8 + content.length)
  return framed
}
