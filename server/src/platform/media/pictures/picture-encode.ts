import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { type CoverWords, coverSize } from './cover-size.ts'
import { layersOf } from './cover-words.ts'
import { fromPixels, mapped, type Pixels, type Source } from './picture-source.ts'
import type { PictureType } from './sniffed-type.ts'
import { withJpegProfile } from './with-profile.ts'

export type EncodedPicture<Type = 'image/jpeg' | 'image/webp'> = {
  bytes: Buffer
  type: Type
  width: number
  height: number
}
/** In full size, a picture may keep its format. */
export type EncodedFull = EncodedPicture<'image/jpeg' | 'image/webp' | 'image/png' | 'image/gif'>
const tileEdge = 400

// Screenshots have a meaningless alpha channel; they are opaque and become JPEG.
export function isOpaque({ data, info: { channels } }: Pixels): boolean {
  if (channels !== 2 && channels !== 4) return true
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false
  return true
}

export async function encode(pixels: Pixels, opaque: boolean, quality = 82): Promise<EncodedPicture> {
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
export async function encodeFull({ open, profile, mapping }: Source, type: PictureType): Promise<EncodedFull> {
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

export async function encodeMovingFull(picture: Sharp, type: PictureType): Promise<EncodedFull> {
  const written = type === 'image/gif' ? picture.gif() : picture.webp({ quality: 92, effort: 2 })
  const { data, info } = await written.toBuffer({ resolveWithObject: true })
  const format = type === 'image/gif' ? 'image/gif' : 'image/webp'
  return { bytes: data, type: format, width: info.width, height: info.pageHeight ?? info.height }
}

export async function encodeCover({ open, mapping }: Source, words?: CoverWords): Promise<EncodedPicture> {
  const picture = (mapping ? fromPixels(await mapped(open(), mapping)) : open())
    .flatten({ background: '#fff' })
    .resize({ ...coverSize, fit: 'cover' })
    .composite(await layersOf(words))
  return { bytes: await picture.jpeg({ quality: 82 }).toBuffer(), type: 'image/jpeg', ...coverSize }
}

export async function encodeTile(small: Pixels, opaque: boolean): Promise<EncodedPicture | null> {
  if (Math.max(small.info.width, small.info.height) <= tileEdge) return null
  const smaller = fromPixels(small).resize(tileEdge, tileEdge, { fit: 'inside', withoutEnlargement: true }).raw()
  return encode(await smaller.toBuffer({ resolveWithObject: true }), opaque, 74)
}

export async function encodeMoving(picture: Sharp): Promise<EncodedPicture> {
  const { data, info } = await picture.webp({ quality: 75, effort: 2 }).toBuffer({ resolveWithObject: true })
  return { bytes: data, type: 'image/webp', width: info.width, height: info.pageHeight ?? info.height }
}

export async function hashOf(small: Pixels): Promise<string> {
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
export async function assertBare({ bytes, type, width, height }: EncodedFull, profiled = false) {
  const found = await sharp(bytes).metadata()
  const same =
    `image/${found.format}` === type && found.width === width && (found.pageHeight ?? found.height) === height
  const bare =
    !found.exif && !found.xmp && !found.iptc && (profiled || !found.icc) && !found.orientation && !found.comments
  if (!same || !bare) throw new Error('The encoder wrote something else than was asked.')
}
