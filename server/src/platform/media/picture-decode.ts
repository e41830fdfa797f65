import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { takenAt } from './exif-date.ts'
import type { PictureType } from './told-by-content.ts'

export type Shape = 'photo' | 'avatar'
export type Wanted = { pixelsMax: number; shape: Shape; animated: boolean; seconds: number }
export type Encoded = { bytes: Buffer; type: 'image/jpeg' | 'image/webp'; width: number; height: number }
export type Decoded = {
  width: number
  height: number
  thumbhash: string
  takenAt: Date | null
  display: Encoded
  preview: Encoded
}

const edges = { photo: { display: 2048, preview: 640 }, avatar: { display: 512, preview: 128 } }
const fits = { photo: 'inside', avatar: 'cover' } as const
const framesMax = 2000

sharp.cache(false)
sharp.concurrency(1)
// Every reader is shut, then those of our five types opened, from memory only. This is what refuses SVG, PDF,
// ImageMagick's tricks and files inside files, whatever a polyglot looks like.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(reader => `VipsForeignLoad${reader}Buffer`),
})

type Pixels = { data: Buffer; info: OutputInfo }

/**
 * Decodes once, upright and in sRGB, and makes the large and the small picture from that; no metadata survives.
 * Throws `TooManyPixels` or whatever the decoder says of a damaged file.
 */
export async function decodePicture(file: Buffer, type: PictureType, wanted: Wanted): Promise<Decoded> {
  const options: SharpOptions = { failOn: 'error', limitInputPixels: wanted.pixelsMax }
  const header = await sharp(file, options).metadata()
  const { width, height } = header.autoOrient
  const frames = header.pages ?? 1
  const moving = frames > 1 && wanted.shape === 'photo' && wanted.animated && type !== 'image/avif'
  if (width * height * (moving ? frames : 1) > wanted.pixelsMax || frames > framesMax) throw new TooManyPixels()

  const edge = edgesOf(wanted.shape, width, height)
  const timed = (picture: Sharp) => picture.timeout({ seconds: wanted.seconds })
  const large = await decodeLarge(file, options, header, edge.display, wanted.shape, timed)
  const opaque = isOpaque(large)
  const small = await timed(fitted(fromPixels(large), edge.preview, wanted.shape))
    .raw()
    .toBuffer({ resolveWithObject: true })

  const display = moving
    ? await encodeMoving(timed(fitted(sharp(file, { ...options, animated: true }), edge.display, wanted.shape)))
    : await encode(large, opaque, timed)
  const preview = await encode(small, opaque, timed)
  await assertBare(display)
  await assertBare(preview)
  return { width, height, thumbhash: await hashOf(small), takenAt: takenAt(header.exif), display, preview }
}

export class TooManyPixels extends Error {}

async function decodeLarge(
  file: Buffer,
  options: SharpOptions,
  header: Metadata,
  edge: number,
  shape: Shape,
  timed: (picture: Sharp) => Sharp,
): Promise<Pixels> {
  const shrinks = Math.max(header.width, header.height) > 1.3 * edge
  const profiled = header.icc !== undefined && header.space === 'srgb' && header.depth === 'uchar'
  if (!shrinks || !profiled) {
    return timed(fitted(sharp(file, options).autoOrient(), edge, shape))
      .raw()
      .toBuffer({ resolveWithObject: true })
  }
  // Colours are converted after shrinking, on a quarter of the pixels: 120 ms of CPU for 12 MP with a profile
  // (every iPhone photo) against 250. An uncompressed PNG is what carries pixels and profile to the second step.
  const carried = await timed(fitted(sharp(file, options).autoOrient(), edge, shape).keepIccProfile())
    .png({ compressionLevel: 0 })
    .toBuffer()
  return timed(sharp(carried)).raw().toBuffer({ resolveWithObject: true })
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

// Screenshots carry an alpha channel that says nothing; they are opaque and become JPEG.
function isOpaque({ data, info: { channels } }: Pixels): boolean {
  if (channels !== 2 && channels !== 4) return true
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false
  return true
}

async function encode(pixels: Pixels, opaque: boolean, timed: (picture: Sharp) => Sharp): Promise<Encoded> {
  const picture = timed(fromPixels(pixels))
  const { width, height } = pixels.info
  if (!opaque) return { bytes: await picture.webp({ quality: 82 }).toBuffer(), type: 'image/webp', width, height }
  // Optimised Huffman tables would save 3 % of the bytes for 18 of 29 ms.
  const bytes = await picture.removeAlpha().jpeg({ quality: 82, optimiseCoding: false }).toBuffer()
  return { bytes, type: 'image/jpeg', width, height }
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

// What leaves here is read back once: the promise that no place or camera leaks does not hang on an encoder's default.
async function assertBare({ bytes, type, width, height }: Encoded) {
  const found = await sharp(bytes).metadata()
  const same =
    `image/${found.format}` === type && found.width === width && (found.pageHeight ?? found.height) === height
  const bare = !found.exif && !found.xmp && !found.iptc && !found.icc && !found.orientation && !found.comments
  if (!same || !bare) throw new Error('The encoder wrote something else than was asked.')
}
