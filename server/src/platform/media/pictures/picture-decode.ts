import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { codedColourOf } from '../structure/nclx.ts'
import { isIncomplete } from '../structure/read-structure.ts'
import type { CoverWords } from './cover-size.ts'
import { type CaptureTime, type GeoLocation, readMetadata } from './exif.ts'
import {
  assertBare,
  type EncodedFull,
  type EncodedPicture,
  encode,
  encodeCover,
  encodeFull,
  encodeMoving,
  encodeMovingFull,
  encodeTile,
  hashOf,
  isOpaque,
} from './picture-encode.ts'
import { lookOf } from './picture-look.ts'
import { asStill, fromPixels, mapped, openFile, openHeic, type Pixels, type Source } from './picture-source.ts'
import { withGamma } from './png-gamma.ts'
import type { PictureType } from './sniffed-type.ts'
import { needsMapping } from './tone-mapping.ts'
import { withProfile } from './with-profile.ts'

/**
 * `full`: the displayed size has the picture's dimensions, with its profile, in its own format; of HEIC and AVIF a JPEG.
 * `cover`: it fills that size, enlarged if necessary.
 */
export type Shape = 'photo' | 'avatar' | 'full' | 'cover'
export type DecodeRequest = { pixelsMax: number; shape: Shape; animated: boolean; words?: CoverWords }
export type DecodedPicture = {
  width: number
  height: number
  thumbhash: string
  look: string | null
  taken: CaptureTime | null
  place: GeoLocation | null
  /** As in its metadata, 1 to 8. */
  orientation: number
  display: EncodedFull
  preview: EncodedPicture
  /** Only for photos whose preview is larger than this. */
  tile: EncodedPicture | null
  /** The file ends before the picture does. */
  incomplete: boolean
}

const edges = {
  photo: { display: 2048, preview: 640 },
  avatar: { display: 512, preview: 128 },
  full: { display: 640, preview: 128 },
  cover: { display: 640, preview: 128 },
}
const fits = { photo: 'inside', avatar: 'cover', full: 'inside', cover: 'inside' } as const
const framesMax = 2000
/** The cost of a pixel for a decoder, relative to a JPEG's: 20 ms per megapixel. */
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

/**
 * Decodes once, upright and in sRGB, and derives the large and the small pictures from that; no metadata survives. A
 * picture that would cost more than `costMax` is not started. Throws `TooManyPixels`, `TooDear` or the decoder's error
 * for a damaged file.
 */
export async function decodePicture(
  given: Buffer,
  type: PictureType,
  wanted: DecodeRequest,
  costMax = Number.POSITIVE_INFINITY,
): Promise<DecodedPicture> {
  const file = decodableOf(given, type)
  // It is decoded as far as it goes, as every viewer shows it.
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
      ? await openHeic(file, header, wanted.pixelsMax, colour)
      : openFile(file, options, header, whole, colour)
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
    if (wanted.shape === 'cover') return encodeCover(source, wanted.words)
    return moving
      ? encodeMoving(fitted(sharp(file, { ...options, animated: true }), edge.display, wanted.shape))
      : encode(large, opaque)
  }
}
/** The file as the decoder understands it. */
function decodableOf(file: Buffer, type: PictureType): Buffer {
  if (type === 'image/avif') return asStill(file)
  if (type === 'image/png') return withGamma(file)
  return type === 'image/jpeg' ? startedOnce(file) : file
}

/** Some cameras begin a picture twice, with other bytes between. */
function startedOnce(jpeg: Buffer): Buffer {
  for (let start = 0; ; ) {
    let next = jpeg.indexOf(0xff, start + 2)
    while (next >= 0 && jpeg[next + 1] === 0xff) next += 1
    if (next < 0 || jpeg[next + 1] !== 0xd8) return jpeg.subarray(start)
    start = next
  }
}

/** As in its metadata, 1 to 8. */
export const orientationOf = async (file: Buffer, type: PictureType): Promise<number> =>
  (await sharp(decodableOf(file, type), { failOn: 'none' }).metadata()).orientation ?? 1

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
