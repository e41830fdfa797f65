import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { thumbHashToApproximateAspectRatio } from 'thumbhash'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quarterOf } from '../../../../test/full.ts'
import { type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { avif, gif, jpeg, png, webp } from '../../../../test/pictures.ts'
import { openPictures, type Pictures, type Preparation, type PreparedPicture, type Variant } from './picture.ts'

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

const prepare = async (bytes: Buffer, wish: Partial<Preparation> = {}) =>
  pictures.prepare(await at.uploaded(bytes), { pixelsMax: 100_000_000, ...wish })

// Decodes everything that is stored, and compares it with what was said about it.
async function stored(variant: Variant) {
  const bytes = await at.bytesOf(variant.sha256)
  const found = await sharp(bytes).metadata()
  await sharp(bytes, { animated: true, failOn: 'warning' }).stats()
  const { format, width, pageHeight, height, exif, xmp, icc, iptc, orientation } = found
  expect({ bytes: bytes.length, type: `image/${format}`, width, height: pageHeight ?? height }).toEqual({
    bytes: variant.bytes,
    type: variant.type,
    width: variant.width,
    height: variant.height,
  })
  expect({ exif, xmp, icc, iptc, orientation }).toEqual({})
  for (const trace of ['Afterglow', 'GPS', 'Exif', 'ICC_PROFILE', 'http://ns.adobe.com'])
    expect(bytes.includes(trace)).toBe(false)
  return { bytes, found }
}

async function bothStored({ variants }: PreparedPicture) {
  return { display: await stored(variants.display), preview: await stored(variants.preview) }
}

const colours = ['#e01010', '#10c010', '#1010e0', '#e0e010']
const cornered = corners(2400, 1600)

describe('preparing a picture', () => {
  it.each([
    ['image/jpeg', jpeg],
    ['image/png', png],
    ['image/webp', webp],
    ['image/gif', gif],
    ['image/avif', avif],
  ] as const)('an opaque %s becomes a display and a preview JPEG, without location and time', async (type, make) => {
    const picture = await prepare(await make({ width: 1200, height: 800, gps: true, takenAt: '2026:11:20 21:04:11' }))
    expect(picture).toMatchObject({ type, width: 1200, height: 800 })
    expect(picture.variants.display).toMatchObject({ type: 'image/jpeg', width: 1200, height: 800 })
    expect(picture.variants.preview).toMatchObject({ type: 'image/jpeg', width: 640, height: 427 })
    expect(picture.taken).toEqual(type === 'image/gif' ? null : { local: '2026-11-20T21:04:11.000', offset: null })
    expect(thumbHashToApproximateAspectRatio(Buffer.from(picture.thumbhash, 'base64'))).toBeCloseTo(1.5, 0)
    expect(picture.variants.tile).toMatchObject({ type: 'image/jpeg', width: 400, height: 267 })
    await bothStored(picture)
    expect((await stored(picture.variants.tile as Variant)).found).toMatchObject({ width: 400, height: 267 })
    expect(await at.temporaries()).toEqual([])
  })

  it.each([
    ['twice', [0xff, 0xd8]],
    ['three times, with other bytes between', [0xff, 0xd8, 0, 0, 0xff, 0xff, 0xd8]],
  ])('a JPEG that begins %s is one picture, also in full size', async (_, before) => {
    const picture = await prepare(Buffer.concat([Buffer.from(before), await jpeg({ width: 120, height: 80 })]))
    expect(picture).toMatchObject({ width: 120, height: 80, incomplete: false })
    expect(picture.full).not.toBeNull()
    await bothStored(picture)
  })

  it.each([
    [4000, 1000, 2048, 512, 640, 160],
    [3024, 4032, 1536, 2048, 480, 640],
    [300, 200, 300, 200, 300, 200],
    [1, 1, 1, 1, 1, 1],
    [5000, 1, 2048, 1, 640, 1],
    [1, 3000, 1, 2048, 1, 640],
  ])('a picture of %i × %i is scaled down to fit, never enlarged', async (width, height, w, h, pw, ph) => {
    const picture = await prepare(await jpeg({ width, height }))
    expect(picture.variants.display).toMatchObject({ width: w, height: h })
    expect(picture.variants.preview).toMatchObject({ width: pw, height: ph })
    await bothStored(picture)
    // Half of the preview's bytes, if that is larger.
    const { preview, tile } = picture.variants
    expect(tile ? Math.max(tile.width, tile.height) : undefined).toBe(Math.max(pw, ph) > 400 ? 400 : undefined)
    expect(tile?.bytes ?? 0).toBeLessThan(preview.bytes)
  })

  it.each(quarterOf('orientations', [1, 2, 3, 4, 5, 6, 7, 8], { from: 1 }))(
    'turns orientation %i upright',
    async orientation => {
      // Each corner in its colour, stored as a camera held that way would; larger than the display size, so that scaling
      // and rotating are combined.
      const turned = await sharp(await cornered)
        .withMetadata({ orientation })
        .toBuffer()
      const upright = await sharp(turned).autoOrient().raw().toBuffer({ resolveWithObject: true })
      const picture = await prepare(turned)
      expect(picture).toMatchObject({ width: upright.info.width, height: upright.info.height })
      expect(picture.width).toBe(orientation < 5 ? 2400 : 1600)
      const { display, preview } = await bothStored(picture)
      const expected = cornersOf(upright.data, upright.info)
      for (const { bytes } of [display, preview]) {
        const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
        expect(cornersOf(data, info)).toEqual(expected)
      }
    },
  )

  it('a wide-gamut photo keeps its colours', async () => {
    const orange = { create: { width: 3000, height: 2000, channels: 3, background: '#ff8000' } } as const
    const picture = await prepare(await sharp(orange).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer())
    const { bytes } = await stored(picture.variants.display)
    const [red, green, blue] = await sharp(bytes).raw().toBuffer()
    expect(Math.abs((red ?? 0) - 255) + Math.abs((green ?? 0) - 128) + Math.abs((blue ?? 0) - 0)).toBeLessThan(12)
  })

  it('pictures in CMYK, 16 bits, grey and palettes are decoded', { tags: 'slow' }, async () => {
    const base = sharp(await jpeg({ width: 900, height: 600 }))
    const files = {
      cmyk: await base.clone().toColourspace('cmyk').jpeg().toBuffer(),
      deep: await base.clone().toColourspace('rgb16').png().toBuffer(),
      grey: await base.clone().greyscale().jpeg().toBuffer(),
      greyAlpha: await base.clone().greyscale().ensureAlpha(0.5).png().toBuffer(),
      palette: await base.clone().png({ palette: true, colours: 16 }).toBuffer(),
      progressive: await base.clone().jpeg({ progressive: true }).toBuffer(),
    }
    for (const [name, bytes] of Object.entries(files)) {
      const picture = await prepare(bytes)
      expect(picture.variants.display.type, name).toBe(name === 'greyAlpha' ? 'image/webp' : 'image/jpeg')
      await bothStored(picture)
    }
  })

  it('a transparent picture becomes WebP, and a meaningless alpha channel is dropped', async () => {
    for (const make of [png, webp, gif, avif]) {
      const picture = await prepare(await make({ width: 320, height: 240, transparent: true }))
      const { display, preview } = await bothStored(picture)
      for (const { found, bytes } of [display, preview]) {
        expect(found).toMatchObject({ format: 'webp', hasAlpha: true })
        expect((await sharp(bytes).stats()).isOpaque).toBe(false)
      }
    }
    const screenshot = await sharp(await png())
      .ensureAlpha(1)
      .png()
      .toBuffer()
    expect((await prepare(screenshot)).variants.display.type).toBe('image/jpeg')
    const palette = await sharp(await png({ transparent: true }))
      .png({ palette: true })
      .toBuffer()
    expect((await prepare(palette)).variants.display.type).toBe('image/webp')
  })

  it.each([
    ['GIF', gif],
    ['WebP', webp],
  ] as const)('an animated %s keeps moving, with a still preview', async (_, make) => {
    const bytes = await make({ width: 660, height: 440, frames: 5, gps: true })
    const picture = await prepare(bytes)
    expect(picture).toMatchObject({ width: 660, height: 440 })
    const { display, preview } = await bothStored(picture)
    const before = await sharp(bytes).metadata()
    expect(display.found).toMatchObject({ format: 'webp', pages: 5, loop: before.loop, delay: before.delay })
    expect(preview.found.pages ?? 1).toBe(1)
    const still = await prepare(bytes, { animated: false })
    expect((await stored(still.variants.display)).found).toMatchObject({ format: 'jpeg' })
  })

  it('an avatar is cropped square, in 512 and 128 px, never enlarged', async () => {
    const large = await prepare(await jpeg({ width: 1600, height: 900, orientation: 6 }), { shape: 'avatar' })
    expect(large.variants.display).toMatchObject({ width: 512, height: 512, type: 'image/jpeg' })
    expect(large.variants.preview).toMatchObject({ width: 128, height: 128 })
    await bothStored(large)
    for (const [width, height] of [
      [300, 1000],
      [1000, 300],
      [20, 30],
    ] as const) {
      const { display, preview, tile } = (await prepare(await jpeg({ width, height }), { shape: 'avatar' })).variants
      const side = Math.min(width, height)
      expect(display).toMatchObject({ width: side, height: side })
      expect(preview).toMatchObject({ width: Math.min(side, 128), height: Math.min(side, 128) })
      expect(tile).toBeUndefined()
    }
    const moving = await prepare(await gif({ frames: 3 }), { shape: 'avatar' })
    expect((await stored(moving.variants.display)).found.pages ?? 1).toBe(1)
  })

  it('equal pictures are stored once', async () => {
    const bytes = await jpeg({ seed: 77 })
    const [one, two] = await Promise.all([prepare(bytes), prepare(bytes)])
    expect(one).toEqual(two)
  })

  it.runIf(process.platform === 'linux')('decoders run at lower priority and know nothing of ours', async () => {
    process.env.AFTERGLOW_PLANTED = 'secret'
    const own = openPictures({ storage: at.storage, log: { warn() {} }, concurrency: 1 })
    const before = children()
    await own.prepare(await at.uploaded(await jpeg()), { pixelsMax: 1e8 })
    const [pid] = children().filter(child => !before.includes(child))
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toMatch(/AFTERGLOW|PATH|HOME/)
    const threads = readdirSync(`/proc/${pid}/task`).map(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'),
    )
    // Node's own helpers may have started before the priority was lowered; those that decode start with the work.
    const decoding = threads.filter(stat => !/\((?:V8Worker|DelayedTaskSche|SignalInspector)/.test(stat))
    expect(decoding.length).toBeGreaterThan(0)
    for (const stat of decoding)
      expect(Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]), stat).toBeGreaterThanOrEqual(10)
    delete process.env.AFTERGLOW_PLANTED
    await own.close()
    expect(children()).not.toContain(pid)
  })
})

const children = () =>
  readdirSync('/proc/self/task').flatMap(thread =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )

async function corners(width: number, height: number): Promise<Buffer> {
  const quarter = (n: number) => ({
    input: { create: { width: width / 2, height: height / 2, channels: 3 as const, background: colours[n] as string } },
    left: (n % 2) * (width / 2),
    top: Math.floor(n / 2) * (height / 2),
  })
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite([0, 1, 2, 3].map(quarter))
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** The colours of the corners: top left, top right, bottom left, bottom right. */
function cornersOf(data: Buffer, { width, height, channels }: { width: number; height: number; channels: number }) {
  return [0, 1, 2, 3].map(n => {
    const x = Math.floor(width * (n % 2 ? 0.9 : 0.1))
    const y = Math.floor(height * (n > 1 ? 0.9 : 0.1))
    const at = (y * width + x) * channels
    return [...data.subarray(at, at + 3)].map(value => (value > 128 ? 1 : 0)).join('')
  })
}
