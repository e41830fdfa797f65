import type { Sharp } from 'sharp'

const side = 8
/** In steps of 255: a smaller difference is noise of the sensor or the encoder. */
const least = 2
/** The number of comparisons that must exceed noise, or any two skies would look the same. */
const telling = 40

/**
 * The distribution of light in a picture: whether each of 8 × 8 places is darker than its right neighbour, and than the
 * one below. As 32 hex digits, hardly changed by resizing and re-encoding; null for a picture too plain to be
 * recognised by it.
 */
export async function lookOf(picture: Sharp): Promise<string | null> {
  const edge = side + 1
  const grey = await picture
    .flatten({ background: '#fff' })
    .greyscale()
    .resize(edge, edge, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer()
  const at = (x: number, y: number) => grey[y * edge + x] ?? 0
  let bits = 0n
  let shown = 0
  for (const [right, below] of [
    [1, 0],
    [0, 1],
  ] as const) {
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const difference = at(x + right, y + below) - at(x, y)
        if (Math.abs(difference) >= least) shown += 1
        bits = (bits << 1n) | (difference > 0 ? 1n : 0n)
      }
    }
  }
  return shown < telling ? null : bits.toString(16).padStart(32, '0')
}
