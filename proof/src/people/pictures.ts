import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Random } from '../random.ts'

/** A unique picture, and the hash of its pixels. */
export const pictureOf = async (random: Random, { width = 160, height = 120 } = {}) => {
  const small = random.bytes(8 * 6 * 3)
  const bytes = await sharp(small, { raw: { width: 8, height: 6, channels: 3 } })
    .resize(width, height, { kernel: 'cubic' })
    .jpeg({ quality: 82 })
    .toBuffer()
  return { bytes, pixels: (await pixelsOf(bytes)) as string }
}

/**
 * Hashes a picture's pixels, ignoring its metadata; undefined if it cannot be decoded. `cut`: a truncated file is
 * decoded as far as possible.
 */
export const pixelsOf = async (bytes: Buffer, { cut = false } = {}): Promise<string | undefined> => {
  try {
    const { data, info } = await sharp(bytes, { failOn: cut ? 'none' : 'error' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    return createHash('sha256').update(`${info.width} ${info.height} `).update(data).digest('hex')
  } catch {
    return undefined
  }
}
