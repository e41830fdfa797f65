import { exifBlock } from './exif.ts'
import { box } from './heic.ts'
import { jpegSegment, withExif } from './picture-blocks.ts'

/*
 * RAW files with the layout of cameras: a header that names the maker, sensor data, and among it the JPEGs that the
 * camera shows on its screen. The sensor data is noise here, as our code never reads it.
 */

export const rawKinds = ['cr2', 'cr3', 'nef', 'arw', 'dng', 'raf', 'orf', 'rw2'] as const
export type RawKind = (typeof rawKinds)[number]

type RawOptions = {
  /** The large preview, with a smaller one before it. */
  preview?: Buffer | undefined
  thumbnail?: Buffer
  orientation?: number
  /** In EXIF format. */
  takenAt?: string
  /** Text for every place that a camera writes text to. */
  words?: string
  noise?: number
}

const makers: Partial<Record<RawKind, string>> = {
  cr2: 'Canon',
  nef: 'NIKON CORPORATION',
  arw: 'SONY',
  dng: 'Leica Camera AG',
  orf: 'OLYMPUS CORPORATION',
  rw2: 'Panasonic',
}

export const raw = (kind: RawKind, wish: RawOptions): Buffer => {
  const { preview, thumbnail = Buffer.alloc(0), noise = 200_000, words = '' } = wish
  const pictures = [thumbnail, sensor(noise), preview ?? Buffer.alloc(0), lossless(), sensor(noise)]
  const exif = exifBlock({
    Orientation: wish.orientation ?? 1,
    ...(wish.takenAt && { DateTime: wish.takenAt }),
    GPSLatitude: [47, 22, 12],
    GPSLongitude: [8, 32, 24],
  })
  if (kind === 'cr3') {
    const canon = box('uuid', Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex'), box('CMT1', exif))
    const told = box('moov', canon, box('free', Buffer.from(words)))
    return Buffer.concat([box('ftyp', Buffer.from('crx \0\0\0\x01crx isom')), told, box('mdat', ...pictures)])
  }
  if (kind === 'raf') {
    const head = Buffer.alloc(160)
    head.write(`FUJIFILMCCD-RAW 0201FF389501X-T5 ${words}`)
    const shown = preview && withExif(preview, exif)
    return Buffer.concat([head, sensor(noise), shown ?? Buffer.alloc(0), sensor(noise)])
  }
  const head = Buffer.concat([directory(kind, exif), Buffer.from(words)])
  return Buffer.concat([head, ...pictures])
}

/** A TIFF whose directory lies: the maximum number of entries, a size of gigapixels, and itself as the next one. */
export const tiffBomb = (): Buffer => {
  const file = Buffer.alloc(2_000_000, 0xff)
  file.write('MM\0*', 'latin1')
  file.writeUInt32BE(8, 4)
  file.writeUInt16BE(0xffff, 8)
  for (let at = 10, n = 0; n < 0xffff; at += 12, n += 1) {
    file.writeUInt16BE([0x10f, 0xc612, 0x100, 0x101, 0x14a, 0x8769][n % 6] as number, at)
    file.writeUInt16BE(4, at + 2)
    file.writeUInt32BE(0xffffffff, at + 4)
    file.writeUInt32BE(8, at + 8)
  }
  return file
}

/** EXIF with the maker, and the DNG tag, in its first directory; some makers use another magic number for TIFF. */
const directory = (kind: RawKind, exif: Buffer): Buffer => {
  const entries = exif.readUInt16LE(8)
  const maker = Buffer.from(`${makers[kind]}\0`)
  const more = [
    entry(0x10f, 2, maker.length, exif.length + 64),
    ...(kind === 'dng' ? [entry(0xc612, 1, 4, 0x0401)] : []),
  ]
  // Moves the directory to the end, where it may be longer; the offsets that it contains stay.
  const [begin, end] = [10, 10 + 12 * entries]
  const bytes = Buffer.concat([exif, Buffer.alloc(64), maker, Buffer.alloc(16 - (maker.length % 16))])
  const moved = Buffer.concat([u16(entries + more.length), exif.subarray(begin, end), ...more, Buffer.alloc(4)])
  bytes.writeUInt32LE(bytes.length, 4)
  const file = Buffer.concat([bytes, moved])
  if (kind === 'cr2') return Buffer.concat([file.subarray(0, 8), shifted(file)])
  if (kind === 'orf') file.write('IIRO', 'latin1')
  if (kind === 'rw2') file.write('IIU\0', 'latin1')
  return file
}

/** Canon writes its name where others begin their directory. */
const shifted = (file: Buffer) => {
  const canon = Buffer.from(file.subarray(8))
  canon.write('CR\x02\0', 'latin1')
  return canon
}

const u16 = (value: number) => Buffer.from([value & 255, value >> 8])

const entry = (tag: number, kind: number, count: number, value: number) => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(tag)
  bytes.writeUInt16LE(kind, 2)
  bytes.writeUInt32LE(count, 4)
  bytes.writeUInt32LE(value, 8)
  return bytes
}

/** Contains false JPEG headers here and there. */
const sensor = (bytes: number) => {
  const noise = Buffer.alloc(bytes)
  let state = 7
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    noise[at] = state >>> 24
  }
  for (let at = 1000; at + 20 < bytes; at += 50_000) noise.write('\xff\xd8\xff\xe0\x00\x10JFIF\0', at, 'latin1')
  return noise
}

/** A lossless JPEG, as some sensors write it: large, and undisplayable in browsers. */
const lossless = () => {
  const frame = Buffer.from([14, 0x20, 0, 0x20, 0, 1, 1, 0x11, 0])
  const scan = jpegSegment(0xda, Buffer.from([1, 1, 0, 1, 0, 0]))
  return Buffer.concat([Buffer.from([0xff, 0xd8]), jpegSegment(0xc3, frame), scan, Buffer.from([1, 2, 3, 0xff, 0xd9])])
}
