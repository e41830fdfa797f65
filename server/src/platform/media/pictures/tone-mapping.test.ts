import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { withColours } from '../../../../test/heic.ts'
import { storageAtHand } from '../../../../test/media.ts'
import { pngChunk } from '../../../../test/picture-blocks.ts'
import { codedColourOf } from '../structure/nclx.ts'
import { openPictures, type Preparation } from './picture.ts'
import type { PictureType } from './sniffed-type.ts'
import { toSrgb } from './tone-mapping.ts'

const at = await storageAtHand()
const pictures = openPictures({ storage: at.storage, log: pino({ level: 'silent' }) })
afterAll(async () => {
  await pictures.close()
  await at.end()
})
const prepared = async (file: Buffer, more: Partial<Preparation> = {}) =>
  pictures.prepare(await at.uploaded(file), { pixelsMax: 1e8, ...more })
/** The files made of a picture: the displayed size first. */
const sizesOf = async (file: Buffer, more: Partial<Preparation> = {}) => {
  const { display, preview } = (await prepared(file, more)).variants
  return Promise.all([display, preview].map(({ sha256 }) => at.bytesOf(sha256)))
}

const field = (name: string) => readFile(new URL(`../../../../test/fixtures/field/${name}`, import.meta.url))
const [bt2020, pq, hlg] = [9, 16, 18]

/** PQ in 16 bits of a light in cd/m². */
const coded = (light: number) => {
  const root = (light / 10_000) ** (1305 / 8192)
  return Math.round(65_535 * ((0.8359375 + 18.8515625 * root) / (1 + 18.6875 * root)) ** (2523 / 32))
}
/** A colour of sRGB, each part 0 or 1, in BT.2020 with its white at 203. */
const wide = (r: number, g: number, b: number) =>
  [
    [0.6274, 0.3293, 0.0433],
    [0.0691, 0.9195, 0.0114],
    [0.0164, 0.088, 0.8956],
  ].map(([x = 0, y = 0, z = 0]) => 203 * (x * r + y * g + z * b))
const map = (lights: number[], colour = { primaries: bt2020, transfer: pq }) => [
  ...toSrgb(Uint16Array.from(lights, coded), 3, colour, 65_535),
]

/** The most frequent colours, in steps of eight. */
const coloursOf = async (picture: Buffer) => {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const seen = new Map<string, number>()
  for (let at = 0; at < data.length; at += info.channels) {
    const colour = [0, 1, 2].map(n => Math.round((data[at + n] as number) / 8) * 8).join()
    seen.set(colour, (seen.get(colour) ?? 0) + 1)
  }
  return [...seen].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour)
}

describe('a picture in high dynamic range', () => {
  test('an HDR picture shows sRGB colours unchanged, and white as white', () => {
    for (const rgb of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 1, 1],
      [0, 0, 0],
    ] as [number, number, number][]) {
      const found = map(wide(...rgb))
      for (const [n, value] of rgb.entries())
        expect(Math.abs((found[n] as number) - 255 * value)).toBeLessThanOrEqual(3)
    }
    // A middle grey of 18 % of white.
    expect(map(wide(0.18, 0.18, 0.18)).every(value => Math.abs(value - 118) <= 1)).toBe(true)
  })

  test('an HDR picture keeps highlights distinct and in order, and near-white beside them', () => {
    const found = map([203, 400, 800, 3000, 3000].flatMap(light => [light, light, light])).filter((_, n) => n % 3 === 0)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(new Set(found).size).toBe(4)
    expect(found[0]).toBeGreaterThan(225)
    expect(found.at(-1)).toBe(255)
  })

  test('an HDR picture keeps its transparency', () => {
    const [light] = [coded(203)]
    expect(
      [...toSrgb(Uint16Array.from([light, light, light, 32_768]), 4, { primaries: bt2020, transfer: pq }, 65_535)].at(
        3,
      ),
    ).toBe(128)
  })

  test.each([
    ['pq-bt2020.avif', 'image/avif', async () => field('pq-bt2020.avif')],
    // As its encoder would have to write it: the file itself does not say what its numbers mean.
    ['pq-bt2020.heic', 'image/heic', async () => withColours(await field('pq-bt2020.heic'), bt2020, pq)],
    ['hlg-bt2020.heic', 'image/heic', async () => withColours(await field('hlg-bt2020.heic'), bt2020, hlg)],
  ] as const)('pure red is red in every size: %s', async (_, type, make) => {
    const file = await make()
    expect(codedColourOf(file, type as PictureType)?.primaries).toBe(bt2020)
    for (const shape of ['photo', 'full', 'avatar'] as const)
      for (const bytes of await sizesOf(file, { shape }))
        expect((await coloursOf(bytes)).slice(0, 8).some(colour => /^(?:248|256),(?:0|8),(?:0|8)$/.test(colour))).toBe(
          true,
        )
  })

  test.each(['uchar', 'ushort'] as const)('an HDR PNG of %s is mapped', async depth => {
    const red = wide(1, 0, 0).map(coded)
    const [data, raw] =
      depth === 'ushort'
        ? [
            Uint16Array.from(
              Array<number[]>(64 * 64)
                .fill(red)
                .flat(),
            ),
            { width: 64, height: 64, channels: 3 as const },
          ]
        : [
            Uint8Array.from(
              Array<number[]>(64 * 64)
                .fill(red.map(value => Math.round(value / 257)))
                .flat(),
            ),
            { width: 64, height: 64, channels: 3 as const },
          ]
    const plain = sharp(data, { raw })
    const png = await (depth === 'ushort' ? plain.toColourspace('rgb16') : plain).png().toBuffer()
    const file = Buffer.concat([
      png.subarray(0, 33),
      pngChunk('cICP', Buffer.from([bt2020, pq, 0, 1])),
      png.subarray(33),
    ])
    const [display = Buffer.alloc(0)] = await sizesOf(file)
    expect((await coloursOf(display))[0]).toMatch(/^(?:248|256),(?:0|8),(?:0|8)$/)
  })
})

test('an AVIF sequence is shown by its still picture', async () => {
  const made = await prepared(await field('animated.avif'))
  expect([made.width, made.height, made.variants.display.type]).toEqual([640, 480, 'image/jpeg'])
})

test('a grid of 48 tiles is decoded whole', { tags: 'slow' }, async () => {
  const made = await prepared(await field('grid-48-tiles.heic'))
  expect([made.width, made.height]).toEqual([5120, 2880])
})
