import { describe, expect, test } from 'vitest'
import { type Film, framePixelsMax, readReport } from './film.ts'
import { planFor } from './plan.ts'
import { takenIn } from './recording-time.ts'

const film: Film = {
  picture: 0,
  codecs: { picture: 'h264', sound: 'aac' },
  sound: 1,
  width: 1920,
  height: 1080,
  turn: 0,
  fps: 30,
  interlaced: false,
  hdr: null,
  colours: { primaries: 'bt2020', matrix: 'bt2020nc' },
  seconds: 10,
  taken: null,
  frameBytes: 1920 * 1080 * 1.5,
}
const planned = (of: Partial<Film>) => planFor({ ...film, ...of }, { secondsMax: 600, threads: 2 })

describe('the plan of a conversion', () => {
  test.each([
    [1920, 1080, 1920, 1080],
    [3840, 2160, 1920, 1080],
    [2160, 3840, 1080, 1920],
    [4000, 3000, 1440, 1080],
    [640, 480, 640, 480],
    [641, 361, 642, 362],
    [7680, 100, 1920, 26],
    [10_000, 1, 1920, 2],
  ])('a video of %i × %i is scaled to %i × %i', (width, height, wide, high) => {
    const plan = planned({ width, height })
    expect(Math.abs(plan.width - wide) <= 2 && Math.abs(plan.height - high) <= 2).toBe(true)
    expect([plan.width % 2, plan.height % 2]).toEqual([0, 0])
  })

  test.each([
    [30, '30/1'],
    [29.97, '30000/1001'],
    [29.9697, '30000/1001'],
    [23.976, '24000/1001'],
    [59.94, '60000/1001'],
    [240, '60/1'],
    [1000, '60/1'],
    [17.5, '17500/1000'],
    [null, '30/1'],
  ])('a rate of %d frames a second becomes %s', (fps, rate) => {
    expect(planned({ fps }).fps).toBe(rate)
  })
})

describe('a tool’s report on a file', () => {
  const report = (stream: object, more: object[] = [], format: object = {}) =>
    JSON.stringify({
      streams: [{ index: 0, codec_type: 'video', codec_name: 'h264', width: 64, height: 48, ...stream }, ...more],
      format: { duration: '2.5', ...format },
    })
  const read = (json: string) => readReport(json, { secondsMax: 60, pixelsMax: framePixelsMax })

  test('a report is read with the picture upright and its pixels square', () => {
    expect(read(report({}))).toMatchObject({ width: 64, height: 48, turn: 0, seconds: 2.5, sound: null })
    expect(read(report({ side_data_list: [{ rotation: -90 }] }))).toMatchObject({ width: 48, height: 64, turn: 90 })
    expect(read(report({ side_data_list: [{ rotation: 90 }] }))).toMatchObject({ turn: 270 })
    expect(read(report({ tags: { rotate: '180' } }))).toMatchObject({ width: 64, turn: 180 })
    expect(read(report({ sample_aspect_ratio: '2:1' }))).toMatchObject({ width: 128, height: 48 })
    expect(read(report({ sample_aspect_ratio: '1000:1' }))).toMatchObject({ width: 64 })
  })

  test('a report may omit what the tool does not know', () => {
    expect(read(report({ avg_frame_rate: '0/0', r_frame_rate: '1000/1' }, [], { duration: 'N/A' }))).toMatchObject({
      fps: 1000,
      seconds: null,
    })
  })

  test('a cover is no picture, and undecodable sound is none', () => {
    const cover = { disposition: { attached_pic: 1 } }
    const faultOf = (json: string) => {
      try {
        return read(json)
      } catch (error) {
        return (error as { fault: string }).fault
      }
    }
    const large = (codec_name: string, pix_fmt: string) => ({ codec_name, pix_fmt, width: 7680, height: 4320 })
    expect(faultOf(report(large('h264', 'yuv420p')))).toBe('too-much-memory')
    expect(faultOf(report(large('wmv2', 'yuv420p')))).toMatchObject({ width: 7680 })
    const phone = { codec_name: 'hevc', pix_fmt: 'yuv420p10le', width: 3840, height: 2160 }
    expect(faultOf(report({ ...phone, color_transfer: 'arib-std-b67' }))).toMatchObject({ hdr: 'arib-std-b67' })
    expect(faultOf(report(cover))).toBe('no-picture')
    const moving = { index: 1, codec_type: 'video', codec_name: 'hevc', width: 8, height: 8 }
    expect(read(report(cover, [moving]))).toMatchObject({ picture: 1 })
    const sound = (codec_name: string) => ({ index: 1, codec_type: 'audio', codec_name })
    expect(read(report({}, [sound('apac'), { ...sound('aac'), index: 2 }]))).toMatchObject({ sound: 2 })
    expect(faultOf(report({ codec_name: 'zmbv' }))).toBe('unsupported')
    expect(faultOf('{}')).toBe('damaged')
    expect(faultOf('')).toBe('damaged')
    expect(faultOf(report({}, [], { duration: '61' }))).toBe('too-long')
  })
})

describe('the film of several tracks', () => {
  const track = (of: object) => ({ codec_type: 'video', codec_name: 'h264', width: 160, height: 90, ...of })
  const chosen = (...tracks: object[]) =>
    readReport(JSON.stringify({ streams: tracks.map((each, index) => ({ index, ...track(each) })), format: {} }), {
      secondsMax: 60,
      pixelsMax: framePixelsMax,
    }).picture
  const [byDefault, beside] = [
    { disposition: { default: 1, attached_pic: 0 } },
    { disposition: { default: 0, attached_pic: 0 } },
  ]
  const large = { width: 1920, height: 1080 }

  test.each([
    ['is the default one', [beside, byDefault], 1],
    ['is the largest of several that are default', [byDefault, { ...byDefault, ...large }], 1],
    ['is the largest where none is', [{}, large, {}], 1],
    [
      'is not one of a single frame, even if that is default',
      [
        { ...byDefault, ...large, nb_frames: '1' },
        { ...beside, nb_frames: '50' },
      ],
      1,
    ],
    ['has more frames than one of its size', [{ nb_frames: '4' }, { nb_frames: '50' }], 1],
    ['is the first of equals', [large, large], 0],
    ['is no cover', [{ ...large, disposition: { default: 1, attached_pic: 1 } }, beside], 1],
  ] as const)('%s', (_, tracks, index) => expect(chosen(...tracks)).toBe(index))
})

test.each([
  ['30/1', '30/1', 30],
  ['630/73', '30/1', 30],
  ['630/73', '90000/1', 30],
  ['25/1', '1000/1', 25],
  ['30000/1001', '60/1', 30_000 / 1001],
  ['47/1', '90000/1', 47],
  ['120/1', '120/1', 120],
  ['0/0', '24/1', 24],
])('a video with an average of %s and %s at the closest plays %d frames a second', (average, closest, fps) => {
  const picture = { index: 0, codec_type: 'video', codec_name: 'h264', width: 160, height: 90 }
  const report = { streams: [{ ...picture, avg_frame_rate: average, r_frame_rate: closest }], format: {} }
  const film = readReport(JSON.stringify(report), { secondsMax: 60, pixelsMax: framePixelsMax })
  expect(film.fps).toBeCloseTo(fps, 3)
})

test('a recording’s time is the local clock with its zone', () => {
  const apple = (text: string) =>
    takenIn({ 'com.apple.quicktime.creationdate': text, creation_time: '2020-01-01T00:00:00Z' })
  expect(apple('2026-06-21T23:04:11+0200')).toEqual({ local: '2026-06-21T23:04:11', offset: '+02:00' })
  expect(apple('2026-06-21T10:34:11-09:30')).toEqual({ local: '2026-06-21T10:34:11', offset: '-09:30' })
  const others = (creation_time: string) => takenIn({ creation_time })
  expect(others('2026-06-21T21:04:11.000000Z')).toEqual({ local: '2026-06-21T21:04:11', offset: '+00:00' })
  const unset = ['1904-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z', '1980-01-01T00:00:00Z', '2099-01-01T00:00:00Z']
  for (const never of [...unset, 'yesterday', '2026-13-40T99:00:00Z']) expect(others(never)).toBe(null)
})

test('very large frames get a single thread, because each thread keeps its own', () => {
  expect(planned({}).threads).toBe(2)
  expect(planned({ frameBytes: 3840 * 2160 * 3 }).threads).toBe(1)
})
