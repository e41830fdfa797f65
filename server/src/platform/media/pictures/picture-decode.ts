import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { type CodedColour, codedColourOf } from '../structure/nclx.ts'
import { isIncomplete } from '../structure/read-structure.ts'
import { coverSize } from './cover-size.ts'
import { type Place, readMetadata, type Taken } from './exif.ts'
import { decodeHeic } from './heic.ts'
import { lookOf } from './picture-look.ts'
import type { PictureType } from './sniffed-type.ts'
import { isSrgb } from './srgb-profile.ts'
import { needsMapping, toSrgb } from './tone-mapping.ts'
import { withJpegProfile, withProfile } from './with-profile.ts'

/**
 * `full`: the displayed size has the picture's dimensions, with its profile, in its own format; of HEIC and AVIF a JPEG.
 * `cover`: it fills that size, enlarged if necessary.
 */
export type Shape = 'photo' | 'avatar' | 'full' | 'cover'
export type Wanted = { pixelsMax: number; shape: Shape; animated: boolean }
export type Encoded<Type = 'image/jpeg' | 'image/webp'> = { bytes: Buffer; type: Type; width: number; height: number }
/** In full size, a picture may keep its format. */
export type EncodedFull = Encoded<'image/jpeg' | 'image/webp' | 'image/png' | 'image/gif'>
export type Decoded = {
  width: number
  height: number
  thumbhash: string
  look: string | null
  taken: Taken | null
  place: Place | null
  /** As its metadata says, 1 to 8. */
  orientation: number
  display: EncodedFull
  preview: Encoded
  /** Only for photos whose preview is larger than this. */
  tile: Encoded | null
  /** The file ends before the picture does. */
  incomplete: boolean
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
type Source = {
  open(): Sharp
  width: number
  height: number
  profile: boolean | Buffer
  /** Its colours have to be mapped to sRGB; `max` stands for full light in 16 bits. */
  mapping?: CodedColour & { max: number }
}

/**
 * Decodes once, upright and in sRGB, and derives the large and the small pictures from that; no metadata survives. A
 * picture that would cost more than `costMax` is not started. Throws `TooManyPixels`, `TooDear` or the decoder's error
 * for a damaged file.
 */
export async function decodePicture(
  given: Buffer,
  type: PictureType,
  wanted: Wanted,
  costMax = Number.POSITIVE_INFINITY,
): Promise<Decoded> {
  const file = type === 'image/avif' ? asStill(given) : given
  // As far as it goes, as every viewer shows it.
  const incomplete = type === 'image/jpeg' && isIncomplete(file)
  const options: SharpOptions = { failOn: incomplete ? 'none' : 'error', limitInputPixels: wanted.pixelsMax }
  const header = await sharp(file, options).metadata()
  const { width, height } = header.autoOrient
  const frames = header.pages ?? 1
  const whole = wanted.shape === 'full'
  const moving = frames > 1 && (whole || wanted.shape === 'photo') && wanted.animated && animates.has(type)
  const pixels = width * height * (moving ? frames : 1)
  if (pixels > wanted.pixelsMax || frames > framesMax) throw new TooManyPixels(moving)
  const cost = (pixels / 1e6) * (moving ? movingPixelCost : pixelCosts[type])
  if (cost > costMax) throw new TooDear(cost)

  const edge = edgesOf(wanted.shape, width, height)
  const coded = codedColourOf(file, type)
  const colour = coded && needsMapping(coded) && !header.icc ? coded : undefined
  const source =
    type === 'image/heic'
      ? await openHeic(file, header, wanted, colour)
      : openFile(file, options, header, wanted.shape, colour)
  const large = await decodeLarge(source, edge.display, wanted.shape)
  const opaque = isOpaque(large)
  const small = await fitted(fromPixels(large), edge.preview, wanted.shape).raw().toBuffer({ resolveWithObject: true })

  const display = await encodeDisplay()
  const preview = await encode(small, opaque)
  const tile = wanted.shape === 'photo' ? await encodeTile(small, opaque) : null
  for (const made of [display, preview, tile]) if (made) await assertBare(made, made === display && whole)
  const [thumbhash, look] = [await hashOf(small), await lookOf(fromPixels(small))]
  return {
    ...readMetadata(header),
    width: source.width,
    height: source.height,
    thumbhash,
    look,
    orientation: header.orientation ?? 1,
    display,
    preview,
    tile,
    incomplete,
  }

  function encodeDisplay(): Promise<EncodedFull> {
    if (whole)
      return moving ? encodeMovingFull(sharp(file, { ...options, animated: true }), type) : encodeFull(source, type)
    if (wanted.shape === 'cover') return encodeCover(source)
    return moving
      ? encodeMoving(fitted(sharp(file, { ...options, animated: true }), edge.display, wanted.shape))
      : encode(large, opaque)
  }
}
/** As its metadata says, 1 to 8. */
export const orientationOf = async (file: Buffer): Promise<number> =>
  (await sharp(file, { failOn: 'none' }).metadata()).orientation ?? 1

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

function openFile(
  file: Buffer,
  options: SharpOptions,
  header: Metadata,
  shape: Shape,
  colour: CodedColour | undefined,
): Source {
  const { width, height } = header.autoOrient
  // Most phones' photos but an iPhone's: 140 ms of CPU for 12 MP became 105.
  const ignoreIcc = shape !== 'full' && header.icc !== undefined && isSrgb(header.icc)
  const profile = header.icc !== undefined && !ignoreIcc && header.space === 'srgb' && header.depth === 'uchar'
  // The bits are at the top of 16.
  const bits = Math.min(header.bitsPerSample ?? (header.depth === 'ushort' ? 16 : 8), 16)
  const mapping = colour && { ...colour, max: (2 ** bits - 1) << (16 - bits) }
  const open = () => sharp(file, { ...options, ignoreIcc }).autoOrient()
  return { open, width, height, profile, ...(mapping && { mapping }) }
}

async function openHeic(
  file: Buffer,
  header: Metadata,
  { pixelsMax }: Wanted,
  colour: CodedColour | undefined,
): Promise<Source> {
  const main = { page: header.pagePrimary ?? 0, ...header.autoOrient }
  const { data, width, height, max } = await decodeHeic(file, main, { deep: colour !== undefined })
  const raw = { width, height, channels: 4 } as const
  const open = () => sharp(data, { raw, limitInputPixels: pixelsMax })
  return { open, width, height, profile: header.icc ?? false, ...(colour && { mapping: { ...colour, max } }) }
}

/** A sequence by its brand also contains a picture, which is found under another one. */
function asStill(file: Buffer): Buffer {
  if (file.toString('latin1', 8, 12) !== 'avis') return file
  const still = Buffer.from(file)
  still.write('avif', 8, 'latin1')
  return still
}

/** Pixels in sRGB, from those in 16 bits. */
async function mapped(picture: Sharp, { max, ...colour }: NonNullable<Source['mapping']>): Promise<Pixels> {
  const { data, info } = await picture
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const deep = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  return { data: toSrgb(deep, info.channels, colour, max), info }
}

async function decodeLarge(
  { open, width, height, profile, mapping }: Source,
  edge: number,
  shape: Shape,
): Promise<Pixels> {
  if (mapping) return mapped(fitted(open(), edge, shape), mapping)
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

/** A larger file could not be handed over; a JPEG of 100 megapixels is smaller. */
const losslessBytesMax = 96 * 1024 * 1024

/** Colours stay in the picture's own space. Transparency becomes white, as on paper, where the format has none. */
async function encodeFull({ open, profile, mapping }: Source, type: PictureType): Promise<EncodedFull> {
  const opened = mapping ? fromPixels(await mapped(open(), mapping)) : open()
  const picture = profile === true ? opened.keepIccProfile() : opened
  const as = async (format: EncodedFull['type'], written: Sharp): Promise<EncodedFull> => {
    const { data, info } = await written.toBuffer({ resolveWithObject: true })
    return { bytes: data, type: format, width: info.width, height: info.height }
  }
  if (type === 'image/webp') return as('image/webp', picture.webp({ quality: 92, effort: 2 }))
  if (type === 'image/png' || type === 'image/gif') {
    const made = await as('image/png', picture.clone().png())
    if (made.bytes.length <= losslessBytesMax) return made
  }
  const made = await as('image/jpeg', picture.flatten({ background: '#fff' }).jpeg({ quality: 92 }))
  return profile instanceof Buffer ? { ...made, bytes: withJpegProfile(made.bytes, profile) } : made
}

async function encodeMovingFull(picture: Sharp, type: PictureType): Promise<EncodedFull> {
  const written = type === 'image/gif' ? picture.gif() : picture.webp({ quality: 92, effort: 2 })
  const { data, info } = await written.toBuffer({ resolveWithObject: true })
  const format = type === 'image/gif' ? 'image/gif' : 'image/webp'
  return { bytes: data, type: format, width: info.width, height: info.pageHeight ?? info.height }
}

async function encodeCover({ open, mapping }: Source): Promise<Encoded> {
  const picture = (mapping ? fromPixels(await mapped(open(), mapping)) : open())
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
async function assertBare({ bytes, type, width, height }: EncodedFull, profiled = false) {
  const found = await sharp(bytes).metadata()
  const same =
    `image/${found.format}` === type && found.width === width && (found.pageHeight ?? found.height) === height
  const bare =
    !found.exif && !found.xmp && !found.iptc && (profiled || !found.icc) && !found.orientation && !found.comments
  if (!same || !bare) throw new Error('The encoder wrote something else than was asked.')
}
