import sharp, { type Sharp } from 'sharp'
import { type Grey, likenessOf } from './likeness.ts'

export const mediumEdge = 1280
/** A variant is only kept if it saves a third of the bytes that would be sent without it. */
const worthwhile = 2 / 3
/** Retry once, then give up on an AVIF with more than this share of the JPEG's bytes. */
const hopeless = 0.8
const displayPixelsMax = 2048 ** 2
/**
 * AVIF pays from here: at 1280 px and equal likeness, ten photographs save 34 % (median) for 430 ms of CPU a try;
 * effort 2 saves 27 % for 365 ms, effort 4 37 % for 2 600 ms, and WebP 3 %.
 */
const effort = 3
const triesMax = 3
const qualities = { first: 71, least: 55, most: 85 }
/** The slope of the difference from the exact pixels over quality, until two tries have measured it. */
const usualSlope = 0.02

export type EncodedMedium = { bytes: Buffer; type: 'image/jpeg' | 'image/avif'; width: number; height: number }

/**
 * The size between preview and display, from the display size that we made: a JPEG, and an AVIF that looks at least as
 * good; either only if it saves a third. Nothing for a transparent or animated picture.
 */
export async function encodeMedium(display: Buffer): Promise<EncodedMedium[]> {
  const options = { failOn: 'error', limitInputPixels: displayPixelsMax } as const
  const { format, width, height } = await sharp(display, options).metadata()
  if (format !== 'jpeg' || Math.max(width, height) <= mediumEdge) return []
  const { data, info } = await sharp(display, options)
    .resize(mediumEdge, mediumEdge, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const size = { width: info.width, height: info.height }
  const pixels = () => sharp(data, { raw: { ...size, channels: info.channels } })
  const jpeg = await pixels().jpeg({ quality: 82 }).toBuffer()
  const avif = await encodeAvif(pixels, jpeg)
  const made: EncodedMedium[] = []
  if (jpeg.length <= display.length * worthwhile) made.push({ bytes: jpeg, type: 'image/jpeg', ...size })
  if (avif) made.push({ bytes: avif, type: 'image/avif', ...size })
  return made
}

/** As much like the pixels as this JPEG of them, in two thirds of its bytes; null if the tries find no such quality. */
async function encodeAvif(pixels: () => Sharp, jpeg: Buffer): Promise<Buffer | null> {
  const exact = await greyOf(pixels())
  const differenceOf = async (made: Buffer) => Math.log(1 - likenessOf(exact, await greyOf(sharp(made))))
  const allowed = await differenceOf(jpeg)
  let quality = qualities.first
  let before: { quality: number; difference: number } | undefined
  for (let left = triesMax; left > 0; left--) {
    const made = await pixels().avif({ quality, effort, chromaSubsampling: '4:2:0' }).toBuffer()
    const share = made.length / jpeg.length
    const difference = await differenceOf(made)
    const [alike, small] = [difference <= allowed, share <= worthwhile]
    if (alike && small) return made
    // More quality would make it larger still.
    if ((!alike && !small) || share > hopeless) return null
    const slope = before ? (before.difference - difference) / (quality - before.quality) : usualSlope
    const step = Math.ceil((difference - allowed) / Math.max(slope, usualSlope / 4))
    before = { quality, difference }
    quality = Math.min(qualities.most, Math.max(qualities.least, quality + step))
    if (quality === before.quality) return null
  }
  return null
}

const greyOf = async (picture: Sharp): Promise<Grey> => {
  const { data, info } = await picture.greyscale().extractChannel(0).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
