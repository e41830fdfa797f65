import sharp from 'sharp'
import { type Roll, scenes } from './scenes.ts'

export type Mood = keyof typeof scenes

const dice = (seed: number): Roll => {
  let state = (seed * 7919 + 17) % 2147483647
  const roll = () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
  // Seeds that are neighbours begin alike.
  for (let turn = 0; turn < 4; turn++) roll()
  return roll
}

/** A JPEG as a phone might have taken it, drawn by the seed; upright or across. */
export const picture = async (seed: number, mood: Mood): Promise<Blob> => {
  const [width, height] = seed % 3 === 0 ? [1500, 2000] : [2000, 1500]
  const blur = (id: string, deviation: number) =>
    `<filter id="${id}" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>${blur('near', 2.5)}${blur('soft', 9)}${blur('far', 22)}
    <radialGradient id="vignette" r=".75"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".4"/></radialGradient></defs>
    ${scenes[mood]({ width, height, roll: dice(seed) }).join('')}
    <rect width="100%" height="100%" fill="url(#vignette)"/></svg>`
  const noise = { type: 'gaussian', mean: 128, sigma: 9 } as const
  const grain = { create: { width, height, channels: 3, background: '#808080', noise } } as const
  const jpeg = await sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 84 })
    .toBuffer()
  return new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' })
}
