import sharp, { type Sharp } from 'sharp'
import { withComment } from './picture-blocks.ts'

/*
 * Pictures for the tests and the demo: an evening's lights in colours that the seed decides, the same bytes for the
 * same options. They compress like photos do.
 */

export type PictureOptions = {
  width?: number
  height?: number
  seed?: number
  /** Written as EXIF, as a phone would. */
  gps?: boolean
  orientation?: number
  /** In EXIF format: `2026:11:20 21:04:11`. */
  takenAt?: string
  /** The clock's offset from UTC: `+02:00`. */
  offset?: string
  /** JPEG: sensor noise, up to this many steps of 255 (a phone's photo: about 8). */
  grain?: number
  /** A transparent round hole in the middle, in formats that support it. */
  transparent?: boolean
  /** GIF and WebP: more than one frame makes an animation. */
  frames?: number
}

export const jpeg = async (wish: PictureOptions = {}) =>
  exif(wish.grain ? await grained(scene(wish), wish.grain) : scene(wish), wish)
    .jpeg({ quality: 90 })
    .toBuffer()
export const png = (wish: PictureOptions = {}) => exif(scene(wish), wish).png({ compressionLevel: 3 }).toBuffer()
export const webp = async (wish: PictureOptions = {}) =>
  exif(await animation(wish), wish)
    .webp({ effort: 1, delay: delays(wish) })
    .toBuffer()
export const gif = async (wish: PictureOptions = {}) =>
  (await animation(wish)).gif({ effort: 1, delay: delays(wish) }).toBuffer()
export const avif = (wish: PictureOptions = {}) => exif(scene(wish), wish).avif({ effort: 0 }).toBuffer()

/** The difference of two pictures in their mean colours, of 255. */
export const apart = async (one: Buffer, other: Buffer): Promise<number> => {
  const [of, than] = await Promise.all([one, other].map(meansOf))
  return Math.max(...(of ?? []).map((mean, at) => Math.abs(mean - (than?.[at] ?? 0))))
}
const meansOf = async (picture: Buffer) => (await sharp(picture).removeAlpha().stats()).channels.map(({ mean }) => mean)

/** A picture of a page, as small as it still looks good. */
export const shrunk = (picture: Buffer) => sharp(picture).webp({ quality: 78, effort: 6 }).toBuffer()

let copies = 0
/** The same picture in a file that nobody has uploaded: its comment differs. */
export const anew = async (picture: Blob): Promise<Blob> => {
  copies += 1
  const words = `copy ${copies}`
  const other = withComment(Buffer.from(await picture.arrayBuffer()), words)
  return new Blob([new Uint8Array(other)], { type: picture.type })
}

const delays = ({ frames = 1 }: PictureOptions) => Array<number>(frames).fill(120)

function scene({ width = 640, height = 480, seed = 1, transparent = false }: PictureOptions): Sharp {
  // Drawn small and enlarged: soft lights cost nothing that way, even at 12 megapixels.
  const scale = Math.min(1, 512 / Math.max(width, height))
  const small = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const drawn = sharp(Buffer.from(lights(small.width, small.height, seed, transparent)))
  const sized = drawn.resize(width, height, { fit: 'fill', kernel: 'cubic' })
  return transparent ? sized : sized.removeAlpha()
}

async function animation(wish: PictureOptions): Promise<Sharp> {
  const { frames = 1, width = 640, height = 480, seed = 1, transparent = false } = wish
  if (frames === 1) return scene(wish)
  const channels = transparent ? 4 : 3
  const pixels: Buffer[] = []
  for (let n = 0; n < frames; n++)
    pixels.push(
      await scene({ ...wish, seed: seed * 1000 + n })
        .raw()
        .toBuffer(),
    )
  const raw = { width, height: height * frames, channels, pageHeight: height } as const
  return sharp(Buffer.concat(pixels), { raw })
}

function lights(width: number, height: number, seed: number, hole: boolean): string {
  const next = chance(seed)
  const hue = Math.floor(next() * 360)
  const spots = Array.from({ length: 28 }, () => {
    const radius = (0.02 + next() * 0.09) * Math.max(width, height)
    const colour = `hsl(${hue + next() * 120 - 40},${60 + next() * 35}%,${50 + next() * 30}%)`
    const place = `cx="${next() * width}" cy="${height * (0.25 + next() * 0.75)}"`
    return `<circle ${place} r="${radius}" fill="${colour}" fill-opacity="${0.15 + next() * 0.45}"/>`
  })
  const mask = `<mask id="m"><rect width="100%" height="100%" fill="#fff"/><circle cx="50%" cy="50%" r="${Math.min(width, height) / 4}"/></mask>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0.2" y2="1"><stop stop-color="hsl(${hue + 200},55%,14%)"/>
    <stop offset="0.6" stop-color="hsl(${hue + 280},45%,32%)"/><stop offset="1" stop-color="hsl(${hue},70%,55%)"/>
    </linearGradient>${mask}</defs>
    <g${hole ? ' mask="url(#m)"' : ''}><rect width="100%" height="100%" fill="url(#sky)"/>${spots.join('')}</g></svg>`
}

function exif(picture: Sharp, { gps, orientation, takenAt, offset }: PictureOptions): Sharp {
  if (!gps && !orientation && !takenAt) return picture
  return picture.withMetadata(orientation ? { orientation } : {}).withExif({
    IFD0: { Make: 'Afterglow', Model: 'Test camera' },
    ...(takenAt ? { IFD2: { DateTimeOriginal: takenAt, ...(offset && { OffsetTimeOriginal: offset }) } } : {}),
    ...(gps
      ? {
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: '47/1 22/1 12/1',
            GPSLongitudeRef: 'E',
            GPSLongitude: '8/1 32/1 24/1',
          },
        }
      : {}),
  })
}

// Noise makes a camera's file large, and slow to decode: each pixel is a little off.
async function grained(picture: Sharp, grain: number): Promise<Sharp> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length)
  let state = 1
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    pixels[at] = (pixels[at] ?? 0) + ((state >>> 24) - 128) * (grain / 128)
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
}

// mulberry32: small, and deterministic on every machine.
function chance(seed: number): () => number {
  let state = seed * 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
