import { z } from 'zod'
import type { Taken } from '../media/exif.ts'
import { type VideoFault, VideoRefused } from './refusal.ts'
import { takenIn } from './taken-in.ts'

/** What a tool found in a video that we rely on. */
export type Film = {
  /** Index of the stream among all streams of the file. */
  picture: number
  sound: number | null
  /** The codec; null for audio in one we do not know. */
  codecs: { picture: string; sound: string | null }
  /** As displayed: upright, with square pixels. */
  width: number
  height: number
  /** Degrees by which a player turns the stored picture clockwise. */
  turn: 0 | 90 | 180 | 270
  /** Frames per second as stated; null if that makes no sense. */
  fps: number | null
  /** The encoding of brighter and wider colours than a JPEG has, which a plain conversion would show grey. */
  hdr: 'smpte2084' | 'arib-std-b67' | null
  /** null: not stated. */
  seconds: number | null
  taken: Taken | null
  /** Of one decoded frame. */
  frameBytes: number
}

export type FilmLimits = { secondsMax: number; pixelsMax: number }

export const streamsMax = 32
/** 8K, the largest that phones record. */
export const framePixelsMax = 7680 * 4320

/** The memory limit of a conversion, as far as a stream reveals its needs beforehand. */
const memoryMax = 512 * 1024 ** 2
// Measured with ffmpeg 5.1 and one thread, in MiB: 231 for 1080p, 293 for 4K, 494 for 4K of a phone's 10-bit HDR, 545
// for 8K H.264 and 349 for 8K WMV.
const baseBytes = 210 * 1024 ** 2
const toneMappingBytes = 90 * 1024 ** 2
/** Codecs whose frames refer to many others, which are all kept in memory. */
const leaning = new Set('h264 hevc vp8 vp9 av1'.split(' '))
const framesHeld = { leaning: 7, alone: 3 }

const pictureCodecs = new Set(
  'h264 hevc mpeg4 mjpeg mpeg1video mpeg2video h263 msmpeg4v1 msmpeg4v2 msmpeg4v3 wmv1 wmv2 wmv3 vc1 vp8 vp9 av1 prores dvvideo rawvideo'.split(
    ' ',
  ),
)
const soundCodecs = new Set(
  'aac mp3 mp2 ac3 eac3 alac opus vorbis amr_nb amr_wb wmav1 wmav2 wmapro adpcm_ms adpcm_ima_wav'.split(' '),
)
const isKnownSound = (codec: string) => soundCodecs.has(codec) || codec.startsWith('pcm_')

const hdrs = ['smpte2084', 'arib-std-b67'] as const

const tags = z.record(z.string(), z.string()).catch({})
const Stream = z.object({
  index: z.int().nonnegative(),
  codec_type: z.string().catch(''),
  codec_name: z.string().catch(''),
  width: z.int().catch(0),
  height: z.int().catch(0),
  sample_aspect_ratio: z.string().catch('1:1'),
  avg_frame_rate: z.string().catch(''),
  r_frame_rate: z.string().catch(''),
  color_transfer: z.string().catch(''),
  pix_fmt: z.string().catch(''),
  disposition: z.object({ attached_pic: z.int().catch(0) }).catch({ attached_pic: 0 }),
  side_data_list: z.array(z.object({ rotation: z.number().optional().catch(undefined) })).catch([]),
  tags,
})
const Report = z.object({
  streams: z.array(Stream),
  format: z.object({ duration: z.coerce.number().optional().catch(undefined), tags }).catch({ tags: {} }),
})
type Stream = z.output<typeof Stream>

/** Parses what a tool printed about a file (ffprobe's JSON). Throws `VideoRefused` for what we do not convert. */
export const readReport = (json: string, { secondsMax, pixelsMax }: FilmLimits): Film => {
  const { streams, format } = parse(json)
  if (streams.length > streamsMax) refuse('too-many-streams')
  // The cover of a piece of music is a video stream too.
  const picture = streams.find(each => each.codec_type === 'video' && each.disposition.attached_pic === 0)
  if (!picture) return refuse('no-picture')
  if (!pictureCodecs.has(picture.codec_name)) refuse('unsupported')
  if (picture.width < 1 || picture.height < 1) refuse('damaged')
  if (picture.width * picture.height > pixelsMax) refuse('too-many-pixels')
  const seconds = format.duration !== undefined && format.duration > 0 ? format.duration : null
  if (seconds !== null && seconds > secondsMax) refuse('too-long')
  const sound = streams.find(each => each.codec_type === 'audio' && isKnownSound(each.codec_name))
  const turn = turnOf(picture)
  const hdr = hdrs.find(each => each === picture.color_transfer) ?? null
  const frameBytes = picture.width * picture.height * bytesPerPixel(picture)
  const held = framesHeld[leaning.has(picture.codec_name) ? 'leaning' : 'alone']
  if (baseBytes + (hdr ? toneMappingBytes : 0) + held * frameBytes > memoryMax) refuse('too-much-memory')
  const [wide, high] = [Math.max(1, Math.round(picture.width * pixelShapeOf(picture))), picture.height]
  return {
    picture: picture.index,
    sound: sound?.index ?? null,
    codecs: { picture: picture.codec_name, sound: sound?.codec_name ?? null },
    width: turn % 180 ? high : wide,
    height: turn % 180 ? wide : high,
    turn,
    fps: fpsOf(picture),
    hdr,
    seconds,
    taken: takenIn({ ...picture.tags, ...format.tags }),
    frameBytes,
  }
}

const refuse = (fault: VideoFault): never => {
  throw new VideoRefused(fault)
}

const parse = (json: string) => {
  try {
    return Report.parse(JSON.parse(json))
  } catch {
    return refuse('damaged')
  }
}

const ratio = (text: string) => {
  const [over = 0, under = 0] = text.split(/[:/]/).map(Number)
  return over > 0 && under > 0 ? over / under : null
}

/** A pixel's aspect ratio; values that no camera produces are treated as square. */
const pixelShapeOf = ({ sample_aspect_ratio }: Stream) => {
  const shape = ratio(sample_aspect_ratio) ?? 1
  return shape > 0.25 && shape < 4 ? shape : 1
}

/** An unstated format is assumed to be the most common one. */
const bytesPerPixel = ({ pix_fmt }: Stream) => {
  const depth = /(?:9|1\d)(?:le|be)$/.test(pix_fmt) ? 2 : 1
  return depth * (/444|rgb|bgr|gbr/.test(pix_fmt) ? 3 : /422/.test(pix_fmt) ? 2 : 1.5)
}

/** The average first: the other may contain a container's time base (1 kHz in WMV). */
const fpsOf = ({ avg_frame_rate, r_frame_rate }: Stream) =>
  [ratio(avg_frame_rate), ratio(r_frame_rate)].find(fps => fps !== null && fps >= 1 && fps <= 1000) ?? null

const turnOf = ({ side_data_list, tags }: Stream): Film['turn'] => {
  // The matrix turns counterclockwise, the old tag clockwise.
  const matrix = side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation
  const degrees = matrix === undefined ? Number(tags.rotate ?? 0) : -matrix
  if (!Number.isFinite(degrees)) return 0
  return ((((Math.round(degrees / 90) * 90) % 360) + 360) % 360) as Film['turn']
}
