import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exifBlock } from '../../../../test/exif.ts'
import { type HeicWish, heic } from '../../../../test/heic.ts'
import { type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { openPictures, type Pictures, type Preparation, type Variant } from './picture.ts'

let at: StorageAtHand
let pictures: Pictures
beforeAll(async () => {
  at = await storageAtHand()
  pictures = openPictures({ storage: at.storage, log: { warn() {} } })
})
afterAll(async () => {
  await pictures.close()
  await at.end()
})

const prepare = async (bytes: Buffer, preparation: Partial<Preparation> = {}) =>
  pictures.prepare(await at.uploaded(bytes), { pixelsMax: 100_000_000, ...preparation })
const outcome = (bytes: Buffer, preparation: Partial<Preparation> = {}): Promise<string> =>
  prepare(bytes, preparation).then(
    () => 'prepared',
    error => error.reason ?? `${error.name}: ${error.message}`,
  )
/** The colours of the corners: top left, top right, bottom left, bottom right. */
const cornersOf = async ({ sha256 }: Variant) => {
  const { data, info } = await sharp(await at.bytesOf(sha256))
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [0, 1, 2, 3].map(n => {
    const x = Math.floor(info.width * (n % 2 ? 0.8 : 0.2))
    const y = Math.floor(info.height * (n > 1 ? 0.8 : 0.2))
    const start = (y * info.width + x) * info.channels
    return (
      ['red', 'green', 'blue', 'white'][
        ['100', '010', '001', '111'].indexOf(
          [...data.subarray(start, start + 3)].map(value => (value > 110 ? 1 : 0)).join(''),
        )
      ] ?? '?'
    )
  })
}
// Wider than high, so that a rotation shows in the size too.
const cornered: HeicWish = {
  tiles: [
    ['red', 'red', 'green'],
    ['blue', 'blue', 'white'],
  ],
}
const damaged = ['damaged', 'not-a-picture', 'unsupported']

describe('a HEIC', () => {
  it('a HEIC from another encoder, with EXIF and a location, becomes a bare JPEG', async () => {
    const picture = await prepare(readFileSync(new URL('../../../../test/fixtures/phone.heic', import.meta.url)))
    expect(picture).toMatchObject({
      type: 'image/heic',
      width: 320,
      height: 240,
      taken: { local: '2026-11-20T21:04:11.000', offset: '+01:00' },
      place: { latitude: 47.37, longitude: 8.54 },
      look: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    for (const { sha256, type } of Object.values(picture.variants)) {
      expect(type).toBe('image/jpeg')
      const { format, exif, xmp, icc } = await sharp(await at.bytesOf(sha256)).metadata()
      expect({ format, exif, xmp, icc }).toEqual({ format: 'jpeg' })
    }
    expect(await at.temporaries()).toEqual([])
  })

  it.each([
    ['as it is', {}, ['red', 'green', 'blue', 'white']],
    ['turned once', { turns: 1 }, ['green', 'white', 'red', 'blue']],
    ['turned twice', { turns: 2 }, ['white', 'blue', 'green', 'red']],
    ['turned three times', { turns: 3 }, ['blue', 'red', 'white', 'green']],
    ['mirrored', { mirror: 1 }, ['green', 'red', 'white', 'blue']],
    ['upside down in a mirror', { mirror: 0 }, ['blue', 'white', 'red', 'green']],
    ['turned and mirrored', { turns: 3, mirror: 1 }, ['red', 'blue', 'green', 'white']],
  ] as const)('a HEIC is upright, %s, whatever its EXIF says besides', async (_, turn, corners) => {
    for (const exif of [undefined, exifBlock({ Orientation: 6 })]) {
      const picture = await prepare(heic({ ...cornered, ...turn, ...(exif && { exif }) }))
      const lying = 'turns' in turn && turn.turns % 2 === 1
      expect([picture.width, picture.height]).toEqual(lying ? [128, 192] : [192, 128])
      expect(await cornersOf(picture.variants.display)).toEqual(corners)
      expect(await cornersOf(picture.variants.preview)).toEqual(corners)
    }
  })

  it('a HEIC shows its colours as its profile means them', async () => {
    const { icc: profile } = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .withIccProfile('p3')
      .png()
      .toBuffer()
      .then(bytes => sharp(bytes).metadata())
    const greenOf = async (wish: HeicWish) => {
      const { variants } = await prepare(heic({ tiles: [['green']], ...wish }))
      return sharp(await at.bytesOf(variants.display.sha256))
        .resize(1, 1)
        .raw()
        .toBuffer()
    }
    const [plain, wide] = [await greenOf({}), await greenOf({ profile: profile as Buffer })]
    // P3's green lies outside sRGB: less red and a stronger green prove that the profile was applied.
    expect((plain[0] ?? 0) - (wide[0] ?? 0)).toBeGreaterThan(10)
  })

  it('a HEIC is recognised by its content, under each of its brands', async () => {
    for (const brand of ['heic', 'heix', 'heim', 'mif1'])
      expect(await outcome(heic({ brands: [brand, 'mif1', 'heic'] })), brand).toBe('prepared')
  })

  it('a HEIC is cropped square as an avatar', async () => {
    const { variants } = await prepare(heic(cornered), { shape: 'avatar' })
    expect(variants.display).toMatchObject({ width: 128, height: 128 })
  })
})

describe('a hostile HEIC', () => {
  it('a truncated HEIC is refused wherever it is cut', async () => {
    const whole = heic({ ...cornered, exif: exifBlock({ DateTimeOriginal: '2026:11:20 21:04:11' }) })
    const cuts = Array.from({ length: 12 }, (_, n) => Math.floor((whole.length * (n + 0.5)) / 12))
    for (const cut of cuts) expect(damaged).toContain(await outcome(whole.subarray(0, cut)))
  })

  it('a HEIC with too many pixels is refused before any is decoded', async () => {
    const started = performance.now()
    for (const claims of [
      { width: 50_000, height: 50_000 },
      { width: 60_000, height: 2000 },
    ]) {
      expect(await outcome(heic({ claims }))).toBe('too-many-pixels')
      expect(await outcome(heic({ ...cornered, claims }))).toBe('too-many-pixels')
    }
    // A box that claims an impossible number of bytes is not a question of pixels.
    const plain = heic()
    const at = plain.lastIndexOf('mdat') - 4
    const endless = Buffer.from('000000016d6461748000000000000000', 'hex')
    expect(damaged).toContain(await outcome(Buffer.concat([plain.subarray(0, at), endless, plain.subarray(at + 8)])))
    expect(await outcome(heic(cornered), { pixelsMax: 192 * 128 - 1 })).toBe('too-many-pixels')
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it.each([
    ['says another size than its stream has', heic({ claims: { width: 4000, height: 3000 } })],
    ['is a grid larger than its tiles', heic({ ...cornered, claims: { width: 4000, height: 3000 } })],
    ['is a sequence by name and has no track', heic({ brands: ['hevc', 'msf1', 'hevc'] }).subarray(0, 300)],
    ['is an AVIF by name', heic({ brands: ['avif', 'mif1', 'avif'] })],
    ['has no picture in it', heic().subarray(0, 40)],
    ['has a web page for a picture', Buffer.concat([heic().subarray(0, 24), Buffer.from('<script>alert(1)</script>')])],
  ])('a HEIC is refused when it %s', async (_, bytes) => {
    expect(damaged).toContain(await outcome(bytes))
  })

  it('a HEIC with too many tiles is refused without decoding one', async () => {
    const row = Array<string>(20).fill('red')
    const tiles = Array<string[]>(20).fill(row)
    expect(await outcome(heic({ tiles }))).toBe('too-many-pixels')
    expect(await outcome(heic({ tiles, claims: { width: 64, height: 64 } }))).toBe('too-many-pixels')
  })

  it('a corrupted HEIC only ever fails as refused, whatever bytes are flipped', async () => {
    const whole = heic({ ...cornered, exif: exifBlock({ DateTimeOriginal: '2026:11:20 21:04:11' }) })
    let state = 11
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return (state >>> 8) % below
    }
    const bent = Array.from({ length: 60 }, (_, n) => {
      const bytes = Buffer.from(whole)
      for (let turns = 0; turns < 1 + (n % 5) * 2; turns++) bytes[next(bytes.length)] = next(256)
      return bytes
    })
    const outcomes = await Promise.all(bent.map(bytes => outcome(bytes)))
    for (const found of outcomes) expect(['prepared', 'too-many-pixels', 'too-slow', ...damaged]).toContain(found)
    expect(await at.temporaries()).toEqual([])
  })
})
