import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { png } from '../../../../test/pictures.ts'
import { decodePicture } from './picture-decode.ts'
import { withGamma } from './png-gamma.ts'

const wanted = { pixelsMax: 1e6, shape: 'photo', animated: false } as const
const shown = async (file: Buffer) => {
  const { preview, display } = await decodePicture(file, 'image/png', wanted)
  const values = [preview, display].map(async ({ bytes }) => (await sharp(bytes).raw().toBuffer())[0])
  return Promise.all(values)
}

test('a PNG with its own gamma is previewed as browsers show it', async () => {
  const file = await readFile(new URL('../../../../test/fixtures/field/gama-linear.png', import.meta.url))
  for (const value of await shown(file)) expect(Math.abs(Number(value) - 188)).toBeLessThanOrEqual(1)
})

test('a PNG without gamma, or with that of screens, is unchanged', async () => {
  const plain = await png({ width: 8, height: 8 })
  expect(withGamma(plain)).toBe(plain)
  const usual = await sharp(plain).png().toBuffer()
  expect(withGamma(usual)).toBe(usual)
})
