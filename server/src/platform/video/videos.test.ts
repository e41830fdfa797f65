import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import {
  asIf,
  claiming,
  endless,
  hdrMov,
  iphoneMov,
  make,
  manyStreams,
  mjpegAvi,
  mp4,
  place,
  scene,
  soundOnly,
  watch,
  wmv,
} from '../../../test/films.ts'
import { quarter, quarterOf } from '../../../test/full.ts'
import { storageAtHand } from '../../../test/media.ts'
import { needing } from '../../../test/needing.ts'
import { ffmpeg } from '../../../test/tools.ts'
import { openPictures } from '../media/pictures/picture.ts'
import { pathOf } from '../process/find-program.ts'
import { openConfinement } from '../sandbox/confinement.ts'
import { containerOf, detectContainer } from './container.ts'
import { openFfmpeg } from './ffmpeg-tool.ts'
import { framePixelsMax } from './film.ts'
import { filterOf } from './filter.ts'
import { openNodeAv } from './node-av-tool.ts'
import type { VideoTool } from './tool.ts'
import type { ToolRunsOptions } from './tool-runs.ts'
import { openVideos } from './videos.ts'

const at = await storageAtHand()
const pictures = openPictures({ storage: at.storage, log: pino({ level: 'silent' }) })
afterAll(async () => {
  await pictures.close()
  await at.end()
})
const limits = { secondsMax: 600, pixelsMax: framePixelsMax }

/** Always the same: videos and tools take seconds to make, and are left unchanged. */
const once = <Made>(make: () => Promise<Made>) => {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make()
    return made
  }
}
const opened = (open: () => Promise<VideoTool | string>) => {
  const parts = once(async () => {
    const tool = await open()
    if (typeof tool === 'string') throw new Error(tool)
    return { tool, confinement: await openConfinement(tool.trial, { niceness: 0 }) }
  })
  return async (options: Partial<ToolRunsOptions> = {}) =>
    openVideos({ ...(await parts()), storage: at.storage, pictures, limits, ...options })
}
const tools = [
  ['ffmpeg', opened(async () => openFfmpeg((await pathOf('ffmpeg')) ?? ''))],
  // Each of its processes takes a second to start.
  ['node-av', opened(openNodeAv)],
] as const

const films = {
  'an iPhone’s HEVC in a MOV, with the phone held upright': once(iphoneMov),
  'a WMV': once(wmv),
  'an AVI of MJPEG and PCM': once(mjpegAvi),
  'an MP4 without sound': once(() => mp4({ sound: false })),
  'an MP4 of more than 1080p and 60 frames a second': once(() =>
    mp4({ width: 2560, height: 1440, fps: 90, seconds: 0.3 }),
  ),
}
const small = once(mp4)
const twoSeconds = once(() => iphoneMov({ width: 160, height: 96, seconds: 2 }))
const lying = once(() => make('mov', ...scene({ width: 160, height: 96, sound: false }), '-c:v', 'mpeg4'))
const hdr = { smpte2084: once(() => hdrMov('smpte2084')), 'arib-std-b67': once(() => hdrMov('arib-std-b67')) }
const beginningBlack = once(() => {
  const black =
    'color=black:size=320x180:rate=10:duration=3[b];testsrc2=size=320x180:rate=10:duration=5[s];[b][s]concat'
  return make('mp4', '-f', 'lavfi', '-i', black, '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
})
const long = once(() => mp4({ width: 640, height: 360, seconds: 20, fps: 30 }))

const neighbour = join(at.directory, '..', 'neighbour.mp4')
const hostile: [string, () => Promise<Buffer>, string, string?][] = [
  ['sound alone', once(soundOnly), 'no-picture'],
  ['a thousand streams', once(() => manyStreams(1000)), 'too-many-streams|damaged'],
  ['hours', once(endless), 'too-long'],
  ['pictures of 12 000 × 12 000', once(() => claiming(12_000, 12_000)), 'too-many-pixels'],
  ['pictures of 60 000 × 60 000', once(() => claiming(60_000, 60_000)), 'too-many-pixels|damaged'],
  ['no index, as it was cut', async () => (await mp4({ seconds: 2 })).subarray(0, 3000), 'damaged'],
  [
    'a playlist called an AVI',
    async () => Buffer.from(`#EXTM3U\n#EXTINF:1,\n${neighbour}\n`),
    'damaged',
    'video/x-msvideo',
  ],
  [
    'a list of films called an MP4',
    async () => Buffer.from(`ffconcat version 1.0\nfile '${neighbour}'\n`),
    'damaged',
    'video/mp4',
  ],
  [
    'a list of films called a WMV',
    async () => Buffer.from(`ffconcat version 1.0\nfile '${neighbour}'\n`),
    'damaged',
    'video/x-ms-wmv',
  ],
]

const store = async (bytes: Buffer, type?: string) => {
  const path = await at.uploaded(bytes)
  type ??= (await detectContainer(path))?.type
  if (!type) throw new Error('this is no video')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await at.storage.put(path, sha256)
  return { sha256, bytes: bytes.length, type }
}

needing(ffmpeg).describe.each(tools)('with %s', (name, videosWith) => {
  /** Both read videos with the same libraries, so each tries others. */
  const some = <Case>(cases: readonly Case[]) =>
    quarterOf(`videos with ${name}`, cases, { from: name === 'ffmpeg' ? 0 : 1 })
  test.each(some(Object.entries(films)))('%s becomes an MP4 that plays everywhere', async (_, film) => {
    const videos = await videosWith()
    const bytes = await film()
    const original = await store(bytes)
    const { sha256, source: _source, ...made } = await videos.convert(original, { onProgress() {} })
    const playable = await at.bytesOf(sha256)
    const { streams, format } = await watch(playable)
    const picture = streams.find(({ codec_type }) => codec_type === 'video')
    const { width = 0, height = 0 } = picture as { width?: number; height?: number }
    expect(picture).toMatchObject({
      codec_name: 'h264',
      profile: 'High',
      pix_fmt: 'yuv420p',
      sample_aspect_ratio: '1:1',
    })
    expect(picture?.level).toBeLessThanOrEqual(42)
    // H.264 that says nothing means the narrow range.
    expect(['tv', undefined]).toContain(picture?.color_range)
    const [over = 0, under = 1] = String(picture?.r_frame_rate).split('/').map(Number)
    expect(over / under).toBeLessThanOrEqual(60)
    expect([Math.max(width, height) <= 1920, Math.min(width, height) <= 1080]).toEqual([true, true])
    const sounds = streams.filter(({ codec_type }) => codec_type === 'audio').map(({ codec_name }) => codec_name)
    expect(sounds).toEqual(film === films['an MP4 without sound'] ? [] : ['aac'])
    expect(streams).toHaveLength(1 + sounds.length)
    const told = { width, height, seconds: Number(format.duration), crc32: crc32(playable), still: undefined }
    expect(made).toEqual({ bytes: playable.length, type: 'video/mp4', ...told })
    // A browser can start before it has all of it.
    expect(playable.indexOf('moov')).toBeLessThan(playable.indexOf('mdat'))
    expect(playable.includes(place.slice(1, 8))).toBe(false)
    expect(JSON.stringify([format.tags, ...streams.map(({ tags }) => tags)])).not.toMatch(/creation|location|2026/)
    expect(await at.temporaries()).toEqual([])
  })

  test.each(
    some([
      // In a file with two tracks, the second is the video; if a file only states PQ, the other colours are guessed.
      ['thumb-track-first.mov', { frames: 50, sounds: ['aac'] }],
      ['pq-transfer-only.mp4', { frames: 50, sounds: [] }],
      ['flac-sound.mp4', { frames: 50, sounds: ['aac'] }],
      ['brand-3gp5.mp4', { frames: 50, sounds: [] }],
      // All ten of the beginning, a thirtieth of a second apart, and the last is shown at 2.8 s.
      ['vfr.mp4', { frames: 85, sounds: [] }],
    ] as const),
  )('a real recording is converted correctly: %s', async (name, { frames, sounds }) => {
    const videos = await videosWith()
    const bytes = await readFile(new URL(`../../../test/fixtures/field/${name}`, import.meta.url))
    const { sha256, width, height } = await videos.convert(await store(bytes), { onProgress() {} })
    const { streams } = await watch(await at.bytesOf(sha256))
    const picture = streams.find(({ codec_type }) => codec_type === 'video')
    expect([width, height, picture?.codec_name]).toEqual([320, 240, 'h264'])
    expect(Math.abs(Number(picture?.nb_frames) - frames)).toBeLessThanOrEqual(1)
    expect(streams.flatMap(({ codec_type, codec_name }) => (codec_type === 'audio' ? [codec_name] : []))).toEqual(
      sounds,
    )
  })

  test('an interlaced video has no teeth at its edges', async () => {
    const videos = await videosWith()
    const bytes = await readFile(new URL('../../../test/fixtures/field/interlaced.mp4', import.meta.url))
    const { sha256 } = await videos.convert(await store(bytes), { onProgress() {} })
    const playing = spawnSync('ffmpeg', ['-hide_banner', '-i', 'pipe:0', '-vf', 'idet', '-f', 'null', '-'], {
      input: await at.bytesOf(sha256),
    })
    const found = /Multi frame detection: TFF:\s*(\d+) BFF:\s*(\d+) Progressive:\s*(\d+)/.exec(String(playing.stderr))
    // The detector takes some whole frames of fine detail for halves; of the upload it takes all of them.
    const [, top, bottom, whole] = (found ?? []).map(Number)
    expect(whole).toBeGreaterThan(3 * (Number(top) + Number(bottom)))
  })

  test('a video keeps its size, length and orientation', async () => {
    const videos = await videosWith()
    const bytes = await twoSeconds()
    expect(bytes.includes(place)).toBe(true)
    const path = await at.uploaded(bytes)
    const film = await videos.inspect(path, containerOf('video/quicktime'))
    expect(film).toMatchObject({ width: 96, height: 160, turn: 90, fps: 10, hdr: null })
    expect(film.taken).toEqual({ local: '2026-06-21T23:04:11', offset: '+02:00' })
    const { sha256, width, height, seconds } = await videos.convert(await store(bytes), { onProgress() {} })
    expect({ width, height }).toEqual({ width: 96, height: 160 })
    expect(Math.abs(seconds - 2)).toBeLessThan(0.2)
    // The scene's left edge is at the top once the phone is held upright, and its top on the right.
    expect(apart(await frameOf(await at.bytesOf(sha256)), await frameOf(bytes, 'transpose=clock'))).toBeLessThan(12)
  })

  const [one, none] = [0x10000, 0]
  const held: [string, [number, number, number, number], string][] = [
    ['on its head', [-one, none, none, -one], 'hflip,vflip'],
    ['in a mirror', [-one, none, none, one], 'hflip'],
    ['in a mirror, on its head', [one, none, none, -one], 'vflip'],
    ['in a mirror, to the right', [none, one, one, none], 'transpose=cclock_flip'],
    ['in a mirror, to the left', [none, -one, -one, none], 'transpose=clock_flip'],
    ['to the left', [none, -one, one, none], 'transpose=cclock'],
  ]
  test.each(some(held))('a video held %s stands upright', async (_, matrix, upright) => {
    const videos = await videosWith()
    const bytes = asIf(matrix, Buffer.from(await lying()))
    const { sha256 } = await videos.convert(await store(bytes), { onProgress() {} })
    expect(apart(await frameOf(await at.bytesOf(sha256)), await frameOf(bytes, upright))).toBeLessThan(12)
  })

  test.each(some(['smpte2084', 'arib-std-b67'] as const))(
    'the high dynamic range of %s is brought down to what every screen shows',
    async transfer => {
      const videos = await videosWith()
      const bytes = await hdr[transfer]()
      const { sha256 } = await videos.convert(await store(bytes), { onProgress() {} })
      const made = await at.bytesOf(sha256)
      const [picture] = (await watch(made)).streams
      const colours = { color_transfer: 'bt709', color_primaries: 'bt709', color_space: 'bt709' }
      expect(picture).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', ...colours })
      // HDR shown unconverted would be grey: its darkest and brightest are far apart now.
      const spread = (frame: Buffer) => Math.max(...frame) - Math.min(...frame)
      expect(spread(await frameOf(made))).toBeGreaterThan(150)
    },
  )

  test('a still is extracted on request, as safe as every picture, and not from a black beginning', {
    tags: 'slow',
  }, async () => {
    const videos = await videosWith()
    const film = await beginningBlack()
    const { still } = await videos.convert(await store(film), { onProgress() {}, cutStill: true })
    expect(still).toMatchObject({ width: 320, height: 180, look: expect.any(String) })
    const { display, preview } = still?.variants ?? {}
    for (const variant of [display, preview]) {
      const { width, format } = await sharp(await at.bytesOf(variant?.sha256 ?? '')).metadata()
      expect([width, `image/${format}`]).toEqual([320, variant?.type])
    }
    const { still: ofShort } = await videos.convert(await store(await mp4({ seconds: 0.2 })), {
      onProgress() {},
      cutStill: true,
    })
    expect(ofShort).toMatchObject({ width: 96, height: 64 })
    expect(await at.temporaries()).toEqual([])
  })

  test.each(some(hostile))('%s is refused by name', async (_, film, fault, type) => {
    await writeFile(neighbour, await small())
    const videos = await videosWith()
    const bytes = await film()
    const path = await at.uploaded(bytes)
    const container = type ? containerOf(type) : await detectContainer(path)
    const refused = videos.inspect(path, container as NonNullable<typeof container>)
    const error = await refused.catch(error => error)
    expect([error.name, error.fault, error.message]).toEqual([
      'VideoRefused',
      expect.stringMatching(fault),
      expect.anything(),
    ])
    const converting = videos.convert(await store(bytes, type), { onProgress() {} })
    await expect(converting).rejects.toMatchObject({ name: 'VideoRefused', fault: error.fault })
    expect(await at.temporaries()).toEqual([])
  })

  test('a corrupted video ends as a playable one or is refused', { tags: 'slow' }, async () => {
    const videos = await videosWith({ stallSeconds: 15 })
    const originals = await Promise.all([small(), films['an AVI of MJPEG and PCM'](), films['a WMV']()])
    const ends = []
    const count = quarter(`bytes of videos for ${name}`, 9)
    for (let seed = 0; seed < count; seed++) {
      const bytes = Buffer.from(originals[seed % 3] as Buffer)
      let state = seed + 1
      for (let n = 0; n < bytes.length / 200; n++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0
        // Its first bytes say what it is; the rest may be anything.
        bytes[64 + (state % (bytes.length - 64))] = state >>> 24
      }
      const cut = seed % 4 === 3 ? bytes.subarray(0, Math.floor(bytes.length * 0.7)) : bytes
      const made = await videos.convert(await store(cut), { onProgress() {} }).catch(error => error)
      if (made instanceof Error) expect([seed, made]).toMatchObject([seed, { name: 'VideoRefused', fault: 'damaged' }])
      else await watch(await at.bytesOf(made.sha256))
      ends.push(made instanceof Error ? 'refused' : 'playable')
    }
    expect(ends).toContain('playable')
    expect(await at.temporaries()).toEqual([])
  })

  test('progress rises, and a video that takes too long is stopped', { tags: 'slow' }, async () => {
    const film = await store(await long())
    const videos = await videosWith()
    const reached: number[] = []
    await videos.convert(film, { onProgress: percent => void reached.push(percent) })
    expect(reached).toEqual([...reached].sort((a, b) => a - b))
    expect(reached.length).toBeGreaterThan(0)
    const hasty = await videosWith({ graceSeconds: 0.3, slownessMax: 0 })
    const ended = await hasty.convert(film, { onProgress() {} }).catch(error => error)
    // `lost` if others had the CPU meanwhile, which time-limit.test.ts covers.
    expect(['too-slow', 'lost']).toContain(ended.fault ?? ended.how)
    expect(await at.temporaries()).toEqual([])
  })
})

needing(ffmpeg).test('an ffmpeg without tone mapping makes ordinary colours too', async () => {
  const plan = { width: 160, height: 96, fps: '10/1', hdr: 'arib-std-b67', colours: {} } as Parameters<
    typeof filterOf
  >[0]
  const source = join(at.directory, '..', 'hdr.mov')
  await writeFile(source, await hdr['arib-std-b67']())
  const film = await make('mp4', '-i', source, '-vf', filterOf(plan, false), '-c:v', 'libx264')
  const [picture] = (await watch(film)).streams
  expect(picture).toMatchObject({ pix_fmt: 'yuv420p', color_transfer: 'bt709', color_space: 'bt709' })
})

/** The grey value of a video's first frame, as stored, or turned by these filters. */
const frameOf = async (film: Buffer, upright = 'null') => {
  const path = join(at.directory, '..', 'frame')
  await writeFile(path, film)
  const sized = ['-frames:v', '1', '-vf', `${upright},scale=96:96`, '-pix_fmt', 'gray', '-f', 'rawvideo']
  return make('gray', '-noautorotate', '-i', path, ...sized)
}
/** The difference between two pictures, of 255. */
const apart = (one: Buffer, other: Buffer) =>
  one.reduce((sum, value, n) => sum + Math.abs(value - (other[n] ?? 0)), 0) / one.length
