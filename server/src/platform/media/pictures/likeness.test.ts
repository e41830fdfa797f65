import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { jpeg } from '../../../../test/pictures.ts'
import { likenessOf } from './likeness.ts'
import { encodeMedium } from './picture-medium.ts'

const greyOf = async (picture: Sharp) => {
  const { data, info } = await picture.greyscale().extractChannel(0).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

test('a picture is like itself, less like its JPEG, and less the coarser that is', async () => {
  const picture = await jpeg({ width: 400, height: 300, seed: 1, grain: 12 })
  const exact = await greyOf(sharp(picture))
  const asJpeg = async (quality: number) =>
    likenessOf(exact, await greyOf(sharp(await sharp(picture).jpeg({ quality }).toBuffer())))
  const found = [likenessOf(exact, exact), await asJpeg(90), await asJpeg(60), await asJpeg(20)]
  expect(found[0]).toBe(1)
  expect(found).toEqual(found.toSorted((a, b) => b - a))
  expect(new Set(found).size).toBe(4)
  expect(likenessOf(exact, await greyOf(sharp(picture).negate()))).toBeLessThan(0.1)
})

test.each([0, 3])('a kept AVIF looks at least as good as the JPEG, with a grain of %i', async grain => {
  const display = await jpeg({ width: 2000, height: 1500, seed: 2, grain })
  const made = await encodeMedium(display)
  const exact = await greyOf(sharp(await sharp(display).resize(1280).png().toBuffer()))
  const [asJpeg, asAvif] = await Promise.all(
    made.map(async ({ bytes }) => likenessOf(exact, await greyOf(sharp(bytes)))),
  )
  expect(made.map(({ type }) => type)).toEqual(['image/jpeg', 'image/avif'])
  expect(asAvif).toBeGreaterThanOrEqual(asJpeg ?? 1)
})
