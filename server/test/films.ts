import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pathOf } from '../src/platform/process/find-program.ts'
import { openConfinement } from '../src/platform/sandbox/confinement.ts'
import { openFfmpeg } from '../src/platform/video/ffmpeg-tool.ts'
import type { FoundTool } from '../src/platform/video/find-tool.ts'
import { ffmpeg as ffmpegTool } from './tools.ts'

/* Short films for the tests, encoded by the host's ffmpeg like those of phones, cameras and editors. */

/** This machine can make test films. */
export const hasFfmpeg = ffmpegTool.path() !== undefined

/** The host's ffmpeg for the service of a test, without waiting for other processes of this machine. */
export const filmTool = async (): Promise<FoundTool> => {
  const tool = await openFfmpeg((await pathOf('ffmpeg')) ?? '')
  if (typeof tool === 'string') throw new Error(tool)
  return { tool, confinement: await openConfinement(tool.trial, { niceness: 0 }) }
}

const ffmpeg = (...args: string[]) =>
  promisify(execFile)('ffmpeg', ['-nostdin', '-hide_banner', '-v', 'error', '-y', ...args])

/** Runs ffmpeg with these arguments; returns the file with this extension. */
export const make = async (ending: string, ...args: string[]): Promise<Buffer> => {
  const directory = await mkdtemp(join(tmpdir(), 'afterglow-film-'))
  try {
    const path = join(directory, `film.${ending}`)
    await ffmpeg(...args, path)
    return await readFile(path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

export type FilmOptions = { width?: number; height?: number; seconds?: number; fps?: number; sound?: boolean }

/** A moving picture and optionally a tone, as inputs. */
export const scene = ({ width = 96, height = 64, seconds = 1, fps = 10, sound = true }: FilmOptions = {}) => [
  ...['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${fps}:duration=${seconds}`],
  ...(sound ? ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`] : []),
]
const quickly = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']

export const mp4 = (wish?: FilmOptions) => make('mp4', ...scene(wish), ...quickly)

/** The place of recording, as phones write it: this text is in the file, and in none of our files. */
export const place = '+48.2082+016.3738'

/**
 * An iPhone recording: HEVC in a MOV, stored sideways with a matrix that turns it upright, with time, zone and place.
 */
/** `identifier`: of the Live Photo that it belongs to. */
export const iphoneMov = async (wish?: FilmOptions, identifier?: string) =>
  asIf(
    upright,
    await make(
      'mov',
      ...scene({ width: 160, height: 96, ...wish }),
      ...[
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-x265-params',
        'log-level=none:pools=1:frame-threads=1',
        '-tag:v',
        'hvc1',
      ],
      ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', 'use_metadata_tags'],
      ...['-metadata', 'com.apple.quicktime.creationdate=2026-06-21T23:04:11+0200'],
      ...(identifier ? ['-metadata', `com.apple.quicktime.content.identifier=${identifier}`] : []),
      ...[
        '-metadata',
        `com.apple.quicktime.location.ISO6709=${place}/`,
        '-metadata',
        'creation_time=2026-06-21T21:04:11Z',
      ],
    ),
  )

export const wmv = (wish?: FilmOptions) => make('wmv', ...scene(wish), '-c:v', 'wmv2', '-c:a', 'wmav2')
export const mjpegAvi = (wish?: FilmOptions) =>
  make('avi', ...scene(wish), '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le')
export const soundOnly = () => make('mp4', '-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac')
/** Many silent tracks beside a picture. */
export const manyStreams = (count: number) =>
  make(
    'mov',
    ...scene({ seconds: 1, sound: false }),
    ...['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono:d=0.1', '-map', '0:v'],
    ...Array.from({ length: count - 1 }, () => ['-map', '1:a']).flat(),
    ...['-c:v', 'mpeg4', '-c:a', 'pcm_u8'],
  )
/** Four pictures, shown for hours. */
export const endless = () =>
  make('mp4', '-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=1/4000:duration=16000', ...quickly)

/** A film whose header claims these dimensions. */
export const claiming = async (width: number, height: number) => {
  const film = await make('avi', ...scene({ sound: false }), '-c:v', 'rawvideo', '-pix_fmt', 'yuv420p')
  const header = film.indexOf('strf')
  film.writeInt32LE(width, header + 12)
  film.writeInt32LE(height, header + 16)
  return film
}

/** A phone recording in high dynamic range: 10-bit HEVC in wide colours, for PQ or HLG. */
export const hdrMov = (transfer: 'smpte2084' | 'arib-std-b67', wish?: FilmOptions) => {
  const named = `colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`
  return make(
    'mov',
    ...scene({ width: 160, height: 96, sound: false, ...wish }),
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-pix_fmt', 'yuv420p10le'],
    ...['-x265-params', `log-level=none:pools=1:frame-threads=1:${named}`],
    ...['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'],
  )
}

const one = 0x10000
/** The matrix of a phone held upright: the stored picture is turned clockwise by 90 degrees. */
const upright = [0, one, -one, 0] as const

/** A MOV to be shown through this matrix (a b c d, in fixed point): turned, mirrored. */
export const asIf = ([a, b, c, d]: readonly [number, number, number, number], mov: Buffer) => {
  const at = mov.indexOf('tkhd') + 44
  for (const [n, value] of [a, b, 0, c, d, 0, 0, 0, 0x40000000].entries()) mov.writeInt32BE(value, at + n * 4)
  return mov
}

export type Probed = {
  streams: (Record<string, unknown> & { codec_type: string; codec_name: string; level: number })[]
  format: { duration: string; tags?: Record<string, string> }
}

/** Decodes a film with ffmpeg without a single complaint, and returns ffprobe's description. */
export const watch = async (film: Uint8Array): Promise<Probed> => {
  const directory = await mkdtemp(join(tmpdir(), 'afterglow-film-'))
  try {
    const path = join(directory, 'film.mp4')
    await writeFile(path, film)
    const { stderr } = await ffmpeg('-xerror', '-i', path, '-f', 'null', '-')
    if (stderr) throw new Error(stderr)
    const asked = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path]
    return JSON.parse((await promisify(execFile)('ffprobe', asked)).stdout)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
