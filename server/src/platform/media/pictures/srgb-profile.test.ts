import sharp from 'sharp'
import { expect, test } from 'vitest'
import { isSrgb } from './srgb-profile.ts'

const profileOf = async (name: string): Promise<Buffer> => {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#345' } }).withIccProfile(name)
  const { icc } = await sharp(await picture.jpeg().toBuffer()).metadata()
  return icc as Buffer
}

const formula = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
const curveNames = new Set(['rTRC', 'gTRC', 'bTRC'])

/** The same profile with its curves as tables of 1 024 points, as older ones have them. */
const withTables = (profile: Buffer, curve: (x: number) => number): Buffer => {
  const table = Buffer.alloc(12 + 2048)
  table.write('curv')
  table.writeUInt32BE(1024, 8)
  for (let n = 0; n < 1024; n++) table.writeUInt16BE(Math.round(curve(n / 1023) * 65_535), 12 + 2 * n)
  const changed = Buffer.concat([profile, table])
  for (let at = 132; at < 132 + 12 * profile.readUInt32BE(128); at += 12) {
    if (!curveNames.has(profile.toString('latin1', at, at + 4))) continue
    changed.writeUInt32BE(profile.length, at + 4)
    changed.writeUInt32BE(table.length, at + 8)
  }
  return changed
}

test('sRGB is distinguished from other spaces, whether its curve is a formula or a table', async () => {
  const srgb = await profileOf('srgb')
  expect(isSrgb(srgb)).toBe(true)
  expect(isSrgb(withTables(srgb, formula))).toBe(true)
  expect(isSrgb(withTables(srgb, x => x ** 1.8))).toBe(false)
  expect(isSrgb(await profileOf('p3'))).toBe(false)
  expect(isSrgb(await profileOf('cmyk'))).toBe(false)
})

test('a profile with tables of colours, or cut anywhere, does not count as sRGB', async () => {
  const srgb = await profileOf('srgb')
  const tables = Buffer.from(srgb)
  tables.write('A2B0', 132)
  expect(isSrgb(tables)).toBe(false)
  for (let length = 0; length < srgb.length - 4; length += 7)
    expect(isSrgb(srgb.subarray(0, length)), `${length} bytes`).toBe(false)
})
