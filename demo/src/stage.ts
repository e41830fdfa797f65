import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import sharp from 'sharp'

/* A phone and the wall behind it, as one picture or as a film, put together of what two real pages showed. */

type Shown = { phone: Buffer; wall: Buffer }
type Place = { left: number; top: number; width: number; height: number }
export type Stage = { width: number; height: number; phone: Place; wall: Place }

/** Of a picture so wide: the phone beside the wall, so that neither hides words of the other. */
export const stageOf = (width: number): Stage => {
  const by = (part: number) => Math.round(width * part)
  return {
    width,
    height: by(0.5625),
    wall: { left: by(0.255), top: by(0.07), width: by(0.725), height: by(0.4078) },
    phone: { left: by(0.03), top: by(0.052), width: by(0.2086), height: by(0.4514) },
  }
}

/** A room at night: the lights of a photo, far out of focus. */
export const roomOf = async (stage: Stage) => {
  const { width, height, wall, phone } = stage
  const photo = join(import.meta.dirname, '../photos/one-bulb.jpg')
  const frames = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <filter id="shadow" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dy="${width * 0.008}" stdDeviation="${width * 0.014}" flood-opacity=".65"/></filter>
    ${framed(wall, width * 0.006, width * 0.008)}${framed(phone, width * 0.007, width * 0.035)}</svg>`
  return sharp(photo)
    .resize(width, height, { fit: 'cover' })
    .blur(width / 40)
    .modulate({ brightness: 0.5 })
    .composite([{ input: Buffer.from(frames) }])
    .png()
    .toBuffer()
}
const framed = ({ left, top, width, height }: Place, edge: number, round: number) =>
  `<rect x="${left - edge}" y="${top - edge}" width="${width + 2 * edge}" height="${height + 2 * edge}" rx="${round}" fill="#0b0908" stroke="#4a4039" stroke-width="1.2" filter="url(#shadow)"/>`

/** What both showed at one moment, in the room. */
export const staged = async (room: Buffer, stage: Stage, { phone, wall }: Shown) => {
  const [near, far] = await Promise.all([
    cut(phone, stage.phone, stage.width * 0.028),
    cut(wall, stage.wall, stage.width * 0.003),
  ])
  return sharp(room).composite([
    { input: far, left: stage.wall.left, top: stage.wall.top },
    { input: near, left: stage.phone.left, top: stage.phone.top },
  ])
}
const cut = async (picture: Buffer, { width, height }: Place, round: number) => {
  const mask = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${round}"/></svg>`,
  )
  return sharp(picture)
    .resize(width, height, { fit: 'cover', position: 'top' })
    .ensureAlpha()
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer()
}

/** Other bytes than the photo's own, of which an album takes no second copy. */
export const mirrored = (photo: string) => sharp(photo).flop().toBuffer()

/** Encodes pictures as they come; GitHub shows an animated WebP where it shows any picture. */
export const film = (path: string, { width, height }: Stage, perSecond: number) => {
  const from = `-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${perSecond} -i -`.split(' ')
  const as = '-c:v libwebp_anim -quality 80 -compression_level 6 -loop 0'.split(' ')
  const encoder = spawn('ffmpeg', ['-v', 'error', '-y', ...from, ...as, path], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  return {
    add: async (pixels: Buffer) => {
      if (!encoder.stdin.write(pixels)) await once(encoder.stdin, 'drain')
    },
    end: async () => {
      encoder.stdin.end()
      const [code] = await once(encoder, 'exit')
      if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
    },
  }
}
