import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { coverSize } from './cover-size.ts'
import { type Place, readExif, type Taken } from './exif.ts'
import { decodeHeic } from './heic.ts'
import { lookOf } from './picture-look.ts'
import type { PictureType } from './sniffed-type.ts'
import { isSrgb } from './srgb-profile.ts'
import { withJpegProfile, withProfile } from './with-profile.ts'

/**
 * `full`: the displayed size has the picture's dimensions, as a JPEG with its profile. `cover`: it fills that size,
 * enlarged if necessary.
 */
export type Shape = 'photo' | 'avatar' | 'full' | 'cover'
export type Wanted = { pixelsMax: number; shape: Shape; animated: boolean }
export type Encoded = { bytes: Buffer; type: 'image/jpeg' | 'image/webp'; width: number; height: number }
export type Decoded = {
  width: number
  height: number
  thumbhash: string
  look: string | null
  taken: Taken | null
  place: Place | null
  /** As its metadata says, 1 to 8. */
  orientation: number
  display: Encoded
  preview: Encoded
  /** Only for photos whose preview is larger than this. */
  tile: Encoded | null
}

const edges = {
  photo: { display: 2048, preview: 640 },
  avatar: { display: 512, preview: 128 },
  full: { display: 640, preview: 128 },
  cover: { display: 640, preview: 128 },
}
const tileEdge = 400
const fits = { photo: 'inside', avatar: 'cover', full: 'inside', cover: 'inside' } as const
const framesMax = 2000
/** What a pixel costs a decoder, relative to a JPEG's: 20 ms per megapixel. */
const pixelCosts: Record<PictureType, number> = {
  'image/jpeg': 1,
  'image/png': 2,
  'image/gif': 2,
  'image/webp': 2,
  'image/avif': 4,
  'image/heic': 4,
}
const movingPixelCost = 4
const animates = new Set<PictureType>(['image/gif', 'image/webp'])

sharp.cache(false)
sharp.concurrency(1)
// All loaders are disabled, then those of our five types enabled, from memory only. This is what rejects SVG, PDF,
// ImageMagick's tricks and files inside files, whatever a polyglot looks like.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(reader => `VipsForeignLoad${reader}Buffer`),
})

type Pixels = { data: Buffer; info: OutputInfo }
/**
 * A picture being decoded: `open` returns it upright. `profile`: whether its pixels carry one; bytes: one that came
 * separately.
 */
type Source = { open(): Sharp; width: number; height: number; profile: boolean | Buffer }

/**
 * Decodes once, upright and in sRGB, and derives the large and the small pictures from that; no metadata survives. A
 * picture that would cost more than `costMax` is not started. Throws `TooManyPixels`, `TooDear` or the decoder's error
 * for a damaged file.
 */
export async function decodePicture(
  file: Buffer,
  type: PictureType,
  wanted: Wanted,
  costMax = Number.POSITIVE_INFINITY,
): Promise<Decoded> {
  const options: SharpOptions = { failOn: 'error', limitInputPixels: wanted.pixelsMax }
  const header = await sharp(file, options).metadata()
  const { width, height } = header.autoOrient
  const frames = header.pages ?? 1
  const moving = frames > 1 && wanted.shape === 'photo' && wanted.animated && animates.has(type)
  const pixels = width * height * (moving ? frames : 1)
  if (pixels > wanted.pixelsMax || frames > framesMax) throw new TooManyPixels(moving)
  const cost = (pixels / 1e6) * (moving ? movingPixelCost : pixelCosts[type])
  if (cost > costMax) throw new TooDear(cost)

  const edge = edgesOf(wanted.shape, width, height)
  const source =
    type === 'image/heic' ? await openHeic(file, header, wanted) : openFile(file, options, header, wanted.shape)
  const large = await decodeLarge(source, edge.display, wanted.shape)
  const opaque = isOpaque(large)
  const small = await fitted(fromPixels(large), edge.preview, wanted.shape).raw().toBuffer({ resolveWithObject: true })

  const display = await encodeDisplay()
  const preview = await encode(small, opaque)
  const tile = wanted.shape === 'photo' ? await encodeTile(small, opaque) : null
  for (const made of [display, preview, tile])
    if (made) await assertBare(made, made === display && wanted.shape === 'full')
  const [thumbhash, look] = [await hashOf(small), await lookOf(fromPixels(small))]
  return {
    ...readExif(header.exif),
    width: source.width,
    height: source.height,
    thumbhash,
    look,
    orientation: header.orientation ?? 1,
    display,
    preview,
    tile,
  }

  function encodeDisplay(): Promise<Encoded> {
    if (wanted.shape === 'full') return encodeFull(source)
    if (wanted.shape === 'cover') return encodeCover(source)
    return moving
      ? encodeMoving(fitted(sharp(file, { ...options, animated: true }), edge.display, wanted.shape))
      : encode(large, opaque)
  }
}
/** As its metadata says, 1 to 8. */
export const orientationOf = async (file: Buffer): Promise<number> =>
  (await sharp(file, { failOn: 'error' }).metadata()).orientation ?? 1

export class TooManyPixels extends Error {
  moving: boolean

  constructor(moving: boolean) {
    super('too many pixels')
    this.moving = moving
  }
}

/** In megapixels of a JPEG. */
export class TooDear extends Error {
  cost: number

  constructor(cost: number) {
    super('too dear')
    this.cost = cost
  }
}

function openFile(file: Buffer, options: SharpOptions, header: Metadata, shape: Shape): Source {
  const { width, height } = header.autoOrient
  // Most phones' photos but an iPhone's: 140 ms of CPU for 12 MP became 105.
  const ignoreIcc = shape !== 'full' && header.icc !== undefined && isSrgb(header.icc)
  const profile = header.icc !== undefined && !ignoreIcc && header.space === 'srgb' && header.depth === 'uchar'
  return { open: () => sharp(file, { ...options, ignoreIcc }).autoOrient(), width, height, profile }
}

async function openHeic(file: Buffer, header: Metadata, { pixelsMax }: Wanted): Promise<Source> {
  const { data, width, height } = await decodeHeic(file, { page: header.pagePrimary ?? 0, ...header.autoOrient })
  const raw = { width, height, channels: 4 } as const
  return { open: () => sharp(data, { raw, limitInputPixels: pixelsMax }), width, height, profile: header.icc ?? false }
}

async function decodeLarge({ open, width, height, profile }: Source, edge: number, shape: Shape): Promise<Pixels> {
  const raw = (picture: Sharp) => picture.raw().toBuffer({ resolveWithObject: true })
  const shrinks = Math.max(width, height) > 1.3 * edge
  const apart = profile instanceof Buffer
  if (!profile || !(shrinks || apart)) return raw(fitted(open(), edge, shape))
  // Colours are converted after downscaling, on a quarter of the pixels: 120 ms of CPU for 12 MP with a profile (every
  // iPhone photo) against 250. An uncompressed PNG carries pixels and profile to the second step.
  const carried = await fitted(open(), edge, shape).keepIccProfile().png({ compressionLevel: 0 }).toBuffer()
  return raw(sharp(apart ? withProfile(carried, profile) : carried))
}

// A square within the picture, so that filling it enlarges nothing.
function edgesOf(shape: Shape, width: number, height: number) {
  const { display, preview } = edges[shape]
  const side = shape === 'avatar' ? Math.min(width, height) : Number.POSITIVE_INFINITY
  return { display: Math.min(display, side), preview: Math.min(preview, side) }
}

function fitted(picture: Sharp, edge: number, shape: Shape): Sharp {
  return picture.resize(edge, edge, { fit: fits[shape], withoutEnlargement: true })
}

const fromPixels = ({ data, info: { width, height, channels } }: Pixels) =>
  sharp(data, { raw: { width, height, channels } })

// Screenshots have a meaningless alpha channel; they are opaque and become JPEG.
function isOpaque({ data, info: { channels } }: Pixels): boolean {
  if (channels !== 2 && channels !== 4) return true
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false
  return true
}

async function encode(pixels: Pixels, opaque: boolean, quality = 82): Promise<Encoded> {
  const picture = fromPixels(pixels)
  const { width, height } = pixels.info
  if (!opaque) return { bytes: await picture.webp({ quality }).toBuffer(), type: 'image/webp', width, height }
  // Optimised Huffman tables would save 3 % of the bytes for 18 of 29 ms.
  const bytes = await picture.removeAlpha().jpeg({ quality, optimiseCoding: false }).toBuffer()
  return { bytes, type: 'image/jpeg', width, height }
}

/** Colours stay in the picture's own space. Transparency becomes white, as on paper. */
async function encodeFull({ open, profile }: Source): Promise<Encoded> {
  const picture = open().flatten({ background: '#fff' }).jpeg({ quality: 92 })
  const { data, info } = await (profile === true ? picture.keepIccProfile() : picture).toBuffer({
    resolveWithObject: true,
  })
  const bytes = profile instanceof Buffer ? withJpegProfile(data, profile) : data
  return { bytes, type: 'image/jpeg', width: info.width, height: info.height }
}

async function encodeCover({ open }: Source): Promise<Encoded> {
  const picture = open()
    .flatten({ background: '#fff' })
    .resize({ ...coverSize, fit: 'cover' })
  return { bytes: await picture.jpeg({ quality: 82 }).toBuffer(), type: 'image/jpeg', ...coverSize }
}

async function encodeTile(small: Pixels, opaque: boolean): Promise<Encoded | null> {
  if (Math.max(small.info.width, small.info.height) <= tileEdge) return null
  const smaller = fitted(fromPixels(small), tileEdge, 'photo').raw()
  return encode(await smaller.toBuffer({ resolveWithObject: true }), opaque, 74)
}

async function encodeMoving(picture: Sharp): Promise<Encoded> {
  const { data, info } = await picture.webp({ quality: 75, effort: 2 }).toBuffer({ resolveWithObject: true })
  return { bytes: data, type: 'image/webp', width: info.width, height: info.pageHeight ?? info.height }
}

async function hashOf(small: Pixels): Promise<string> {
  const { data, info } = await fromPixels(small)
    .resize(100, 100, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

// Every output is read back once: the promise that no location or camera data leaks does not depend on an encoder's
// default.
async function assertBare({ bytes, type, width, height }: Encoded, profiled = false) {
  const found = await sharp(bytes).metadata()
  const same =
    `image/${found.format}` === type && found.width === width && (found.pageHeight ?? found.height) === height
  const bare =
    !found.exif && !found.xmp && !found.iptc && (profiled || !found.icc) && !found.orientation && !found.comments
  if (!same || !bare) throw new Error('The encoder wrote something else than was asked.')
}
