import { srgbLike } from './srgb-profile.ts'
import { withProfile } from './with-profile.ts'

/** Browsers take this for sRGB, which it is close to. */
const usualGamma = 1 / 2.2
const usualApart = 0.05
/** Beyond, the chunk is a mistake. */
const [gammaMin, gammaMax] = [0.1, 3]

/**
 * A PNG may state the curve of its samples in a chunk that browsers heed and our decoder does not. With a profile of that
 * curve in front, both show the same.
 */
export function withGamma(png: Buffer): Buffer {
  const gamma = statedGamma(png)
  if (gamma === undefined || gamma < gammaMin || gamma > gammaMax || Math.abs(gamma / usualGamma - 1) < usualApart)
    return png
  const isGrey = png[25] === 0 || png[25] === 4
  return withProfile(png, srgbLike(1 / gamma, isGrey))
}

/** Undefined if there is none, or something that counts more. */
function statedGamma(png: Buffer): number | undefined {
  let gamma: number | undefined
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') return gamma
    if (type === 'sRGB' || type === 'iCCP' || type === 'cICP') return undefined
    if (type === 'gAMA' && png.readUInt32BE(at) === 4) gamma = png.readUInt32BE(at + 8) / 100_000
  }
  return undefined
}
