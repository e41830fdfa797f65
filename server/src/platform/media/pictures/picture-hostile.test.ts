import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ftyp, gifOf, iCCPOf, impostors, pngClaiming, webpOf, zTXtOf } from '../../../../test/hostile-pictures.ts'
import { later } from '../../../../test/later.ts'
import { type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { avif, gif, jpeg, type PictureOptions, png, webp } from '../../../../test/pictures.ts'
import { openPictures, type Pictures } from './picture.ts'

let at: StorageAtHand
let pictures: Pictures
const log = { warn() {} }
beforeAll(async () => {
  at = await storageAtHand()
  pictures = openPictures({ storage: at.storage, log })
})
afterAll(async () => {
  await pictures.close()
  await at.end()
})
afterEach(async () => {
  for (const sha256 of await at.hashes()) await at.storage.remove(sha256)
})

const outcome = async (bytes: Buffer, by = pictures): Promise<string> =>
  by.prepare(await at.uploaded(bytes), { pixelsMax: 100_000_000 }).then(
    () => 'prepared',
    error => error.reason ?? `${error.name}: ${error.message}`,
  )

async function nothingIsLeft() {
  expect(await at.temporaries()).toEqual([])
  expect(await at.hashes()).toEqual([])
}

describe('a file that is no picture', () => {
  it.each(Object.entries(impostors))('an impostor is refused: %s', async (_, bytes) => {
    expect(await outcome(bytes)).toBe('not-a-picture')
    await nothingIsLeft()
  })

  it.each([
    ['a film', ftyp('isom', 'iso2', 'mp41')],
    ['a TIFF', Buffer.from('49492a0008000000000000000000000000000000', 'hex')],
    ['a scan', readFileSync(new URL('../../../../test/fixtures/field/scan-jpeg.tif', import.meta.url))],
    ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)])],
  ])('another kind of media is refused as unsupported: %s', async (_, bytes) => {
    expect(await outcome(bytes)).toBe('unsupported')
    await nothingIsLeft()
  })

  it('a file with only a picture’s first bytes is refused', async () => {
    for (const make of [jpeg, png, webp, gif, avif]) {
      const bytes = Buffer.concat([
        (await make({ width: 64, height: 64 })).subarray(0, 40),
        impostors['a web page'] as Buffer,
      ])
      expect(await outcome(bytes), make.name).toBe('damaged')
    }
    for (const brand of ['avif', 'heic']) expect(await outcome(ftyp(brand, 'mif1'))).toBe('damaged')
    await nothingIsLeft()
  })
})

describe('a damaged picture', () => {
  it('a JPEG cut before its pixels is refused, and one cut later is shown as far as it goes', async () => {
    const whole = await jpeg({ width: 200, height: 150, gps: true })
    const scan = whole.indexOf(Buffer.from([0xff, 0xda]))
    for (const cut of [3, 20, scan - 5, scan + 3]) expect(await outcome(whole.subarray(0, cut))).not.toBe('prepared')
    await nothingIsLeft()
    for (const part of [0.3, 0.6, 0.9]) {
      const cut = scan + Math.floor((whole.length - scan) * part)
      const found = await pictures.prepare(await at.uploaded(whole.subarray(0, cut)), { pixelsMax: 1e8 })
      expect([found.incomplete, found.width, found.height]).toEqual([true, 200, 150])
    }
  })

  it.each([
    ['png', png],
    ['webp', webp],
    ['gif', gif],
    ['avif', avif],
    ['moving webp', (wish: PictureOptions) => webp({ ...wish, frames: 6 })],
  ] as const)('a %s is refused wherever it is cut', async (_, make) => {
    const whole = await make({ width: 200, height: 150, gps: true })
    const cuts = Array.from({ length: 12 }, (_, n) => Math.floor((whole.length * (n + 0.5)) / 12))
    const outcomes = await Promise.all(cuts.map(cut => outcome(whole.subarray(0, cut))))
    expect(new Set(outcomes.map(found => (found === 'not-a-picture' ? 'damaged' : found)))).toEqual(
      new Set(['damaged']),
    )
    await nothingIsLeft()
  })

  // A GIF does not declare its number of frames: one that ends early is a shorter one.
  it('a cut animated GIF is refused, or shows its remaining frames', async () => {
    const whole = await gif({ width: 120, height: 90, frames: 6 })
    const framesOf = async (cut: number) => {
      const found = await pictures
        .prepare(await at.uploaded(whole.subarray(0, cut)), { pixelsMax: 1e8 })
        .catch(() => null)
      return found ? ((await sharp(await at.bytesOf(found.variants.display.sha256)).metadata()).pages ?? 1) : 0
    }
    const frames = await Promise.all([0.1, 0.3, 0.5, 0.7, 0.9].map(part => framesOf(Math.floor(whole.length * part))))
    expect(frames).toEqual(frames.toSorted())
    expect(frames[0]).toBe(0)
    expect(await framesOf(whole.length)).toBe(6)
  })

  it('a damaged picture only ever fails as refused, whatever bytes are flipped', async () => {
    const whole = await Promise.all(
      [jpeg, png, webp, gif, avif].map(make => make({ width: 120, height: 90, gps: true })),
    )
    let state = 7
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state % below
    }
    const bent = Array.from({ length: 60 }, (_, n) => {
      const bytes = Buffer.from(whole[n % whole.length] as Buffer)
      for (let turns = 0; turns < 1 + (n % 7) * 3; turns++) bytes[next(bytes.length)] = next(256)
      return bytes
    })
    const outcomes = await Promise.all(bent.map(bytes => outcome(bytes)))
    for (const found of outcomes)
      expect(['prepared', 'damaged', 'not-a-picture', 'unsupported', 'too-many-pixels']).toContain(found)
    expect(await at.temporaries()).toEqual([])
  })
})

describe('a bomb', () => {
  it.each([
    ['a PNG of 50 000²', () => pngClaiming(50_000, 50_000)],
    ['a GIF of 65 535²', () => gifOf(65_535, 65_535, 1)],
  ])('a bomb is refused for its pixels: %s', async (_, make) => {
    expect(await outcome(await make())).toBe('too-many-pixels')
    await nothingIsLeft()
  })

  it.each([
    ['a GIF of 10 000 frames', () => gifOf(1, 1, 10_000)],
    ['a GIF', () => gifOf(2000, 2000, 30)],
    ['a WebP', () => webpOf(8000, 8000, 30)],
  ])('a bomb is refused for the pixels of all of its frames: %s', async (_, make) => {
    expect(await outcome(await make())).toBe('too-many-moving-pixels')
    await nothingIsLeft()
  })

  it.each([
    ['text', () => zTXtOf(60_000_000)],
    ['a profile', () => iCCPOf(60_000_000)],
  ])('a bomb of %s unpacks into no memory and no file', async (_, extra) => {
    const bytes = pngClaiming(8, 8, Array(4).fill(extra()))
    expect(bytes.length).toBeLessThan(400_000)
    const own = openPictures({ storage: at.storage, log, concurrency: 1 })
    await outcome(await png(), own)
    const found = await outcome(bytes, own)
    expect(['prepared', 'damaged']).toContain(found)
    for (const sha256 of await at.hashes()) expect((await at.bytesOf(sha256)).length).toBeLessThan(20_000)
    if (process.platform === 'linux')
      expect(Math.max(...children().flatMap(below).map(peakBytes))).toBeLessThan(300_000_000)
    await own.close()
    expect(await at.temporaries()).toEqual([])
  })
})

describe('a polyglot', () => {
  it('a polyglot comes out as nothing but a picture', async () => {
    const tail = Buffer.concat([Buffer.from('<script>alert(1)</script><?php'), impostors['a ZIP'] as Buffer])
    const picture = await sharp(await jpeg())
      .withExif({ IFD0: { ImageDescription: '<script>alert(1)</script>' } })
      .toBuffer()
    const { variants } = await pictures.prepare(await at.uploaded(Buffer.concat([picture, tail])), { pixelsMax: 1e8 })
    for (const { sha256 } of [variants.display, variants.preview]) {
      const bytes = await at.bytesOf(sha256)
      for (const trace of ['<script', '<?php', 'PK\x03\x04']) expect(bytes.includes(trace)).toBe(false)
    }
  })
})

describe('a decoder that does not come back', () => {
  const startedSince = async (before: readonly string[]) => {
    const started = () => children().find(child => !before.includes(child))
    await expect.poll(started, { interval: 5 }).toBeDefined()
    return started() ?? ''
  }

  it.runIf(process.platform === 'linux')('a killed decoder loses only its own picture', async () => {
    const own = openPictures({ storage: at.storage, log, concurrency: 1 })
    const long = await at.uploaded(gifOf(1500, 1500, 2000))
    const photo = await at.uploaded(await jpeg())
    const before = children()
    const lost = own.prepare(long, { pixelsMax: 1e10 }).catch(error => error)
    const next = later(own.prepare(photo, { pixelsMax: 1e8 }))
    const pid = await startedSince(before)
    // Then it is in the middle of the first, which takes it many seconds.
    await expect.poll(() => below(pid).some(hasLibvips), { interval: 5 }).toBe(true)
    process.kill(Number(pid), 'SIGKILL')
    expect(await lost).toMatchObject({ name: 'DecoderEnded', how: 'lost' })
    expect(await next).toHaveProperty('variants')
    await own.close()
    expect(await at.temporaries()).toEqual([])
  })

  it.runIf(process.platform === 'linux')('a crash of the decoder is the picture’s fault', async () => {
    const own = openPictures({ storage: at.storage, log, concurrency: 1 })
    const large = await at.uploaded(await jpeg({ width: 4000, height: 3000 }))
    const before = children()
    const crashed = own.prepare(large, { pixelsMax: 1e8 }).catch(error => error)
    const pid = await startedSince(before)
    process.kill(Number(pid), 'SIGSEGV')
    expect(await crashed).toMatchObject({ name: 'PictureRefused', reason: 'damaged' })
    await own.close()
    await nothingIsLeft()
  })

  it('a hanging decoder is killed at its limit, and the queue continues', { tags: 'slow' }, async () => {
    const own = openPictures({ storage: at.storage, log, concurrency: 1, limitSeconds: 2 })
    const endless = own.prepare(await at.uploaded(gifOf(1500, 1500, 2000)), { pixelsMax: 1e10 }).catch(error => error)
    const quick = later(outcome(await jpeg(), own))
    // On a machine that had no CPU for it either, which is not the picture's fault.
    expect(['too-slow', 'lost']).toContain((await endless).reason ?? (await endless).how)
    expect(await quick).toBe('prepared')
    await own.close()
    expect(await at.temporaries()).toEqual([])
  })

  it('an idle decoder ends after a while, and with the server', async () => {
    const own = openPictures({ storage: at.storage, log, idleSeconds: 0.1 })
    const before = children().length
    expect(await outcome(await jpeg(), own)).toBe('prepared')
    if (process.platform === 'linux') await expect.poll(() => children().length).toBeLessThanOrEqual(before)
    expect(await outcome(await jpeg(), own)).toBe('prepared')
    await own.close()
    await expect(own.prepare(await at.uploaded(await jpeg()), { pixelsMax: 1e8 })).rejects.toThrow(/closing/)
  })

  it.runIf(process.platform === 'linux')('a decoder dies with a killed server', () => {
    const script = `
      import { startDecoder } from ${JSON.stringify(new URL('./decoders/decoder.ts', import.meta.url).href)}
      import { openDecoderWalls } from ${JSON.stringify(new URL('./decoders/decoder-walls.ts', import.meta.url).href)}
      const decoder = startDecoder(await openDecoderWalls(), { limitSeconds: 30, log: { warn() {} } })
      await decoder.perform({ act: 'picture', wanted: {} }, '/dev/null')
      console.log(decoder.pid)
      process.kill(process.pid, 'SIGKILL')`
    let pid = ''
    try {
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    } catch (error) {
      pid = (error as { stdout: string }).stdout.trim()
    }
    expect(pid).toMatch(/^\d+$/)
    return expect.poll(() => isRunning(pid)).toBe(false)
  })
})

const children = () => childrenOf('self')
const childrenOf = (pid: string) =>
  tasksOf(pid).flatMap(thread => textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean))

const tasksOf = (pid: string) => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return [] // it has ended
  }
}

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** It and what it started, inside the sandbox too. */
const below = (pid: string): string[] => [pid, ...childrenOf(pid).flatMap(below)]
const hasLibvips = (pid: string) => textOf(`/proc/${pid}/maps`).includes('libvips')

// Without a reaper for orphans, a dead process stays listed as a zombie.
function isRunning(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

const peakBytes = (pid: string) => Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
