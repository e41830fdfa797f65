import { z } from 'zod'
import type { CaptureTime } from '../media/pictures/exif.ts'
import { takenIn } from './recording-time.ts'
import { type VideoFault, VideoRefused } from './refusal.ts'

/** The facts about a video that a conversion relies on. */
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
  /** Each frame is two half pictures of different moments, as camcorders record. */
  interlaced: boolean
  /** Frames per second as stated; null if that makes no sense. */
  fps: number | null
  /** The encoding of brighter and wider colours than a JPEG has, which a plain conversion would show grey. */
  hdr: 'smpte2084' | 'arib-std-b67' | null
  /** The colours of such a video: stated, or the usual ones. */
  colours: { primaries: string; matrix: string }
  /** null: not stated. */
  seconds: number | null
  taken: CaptureTime | null
  /** The size of one decoded frame. */
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
  'aac aac_latm mp3 mp2 mp1 ac3 eac3 alac flac opus vorbis speex amr_nb amr_wb evrc qcelp ilbc gsm gsm_ms wmav1 wmav2 wmapro wmalossless wmavoice dts truehd mlp wavpack tta qdm2 qdmc mace3 mace6 nellymoser atrac3 dvaudio'.split(
    ' ',
  ),
)
const isKnownSound = (codec: string) => soundCodecs.has(codec) || /^(?:ad)?pcm_/.test(codec)

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
  nb_frames: z.coerce.number().catch(Number.NaN),
  color_transfer: z.string().catch(''),
  color_primaries: z.string().catch(''),
  color_space: z.string().catch(''),
  pix_fmt: z.string().catch(''),
  field_order: z.string().catch(''),
  disposition: z
    .object({ attached_pic: z.int().catch(0), default: z.int().catch(0) })
    .catch({ attached_pic: 0, default: 0 }),
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
  const [picture] = streams.filter(isPicture).toSorted(byLikelihood)
  if (!picture) return refuse(streams.length === 0 ? 'damaged' : 'no-picture')
  if (!pictureCodecs.has(picture.codec_name)) refuse('unsupported')
  if (picture.width < 1 || picture.height < 1) refuse('damaged')
  if (picture.width * picture.height > pixelsMax) refuse('too-many-pixels')
  const seconds = format.duration !== undefined && format.duration > 0 ? format.duration : null
  if (seconds !== null && seconds > secondsMax) refuse('too-long')
  const sounds = streams.filter(each => each.codec_type === 'audio' && isKnownSound(each.codec_name))
  const sound = sounds.find(isDefault) ?? sounds[0]
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
    interlaced: /^(?:tt|bb|tb|bt)$/.test(picture.field_order),
    fps: fpsOf(picture),
    hdr,
    colours: {
      primaries: primaries.has(picture.color_primaries) ? picture.color_primaries : 'bt2020',
      matrix: matrices.has(picture.color_space) ? picture.color_space : 'bt2020nc',
    },
    seconds,
    taken: takenIn({ ...picture.tags, ...format.tags }),
    frameBytes,
  }
}

/** The cover of a piece of music is a video stream too. */
const isPicture = ({ codec_type, disposition }: Stream) => codec_type === 'video' && disposition.attached_pic === 0
const isDefault = ({ disposition }: Stream) => disposition.default === 1

/** Cameras and editors add tracks of a single frame, and small ones for previews, some of them first. */
const byLikelihood = (one: Stream, other: Stream) => {
  const moves = ({ nb_frames }: Stream) => Number(nb_frames !== 1)
  const area = ({ width, height }: Stream) => width * height
  const frames = ({ nb_frames }: Stream) => nb_frames || 0
  return (
    moves(other) - moves(one) ||
    Number(isDefault(other)) - Number(isDefault(one)) ||
    area(other) - area(one) ||
    frames(other) - frames(one)
  )
}

/** Primaries with the same name in zscale and setparams. */
const primaries = new Set([
  'bt709',
  'bt470m',
  'bt470bg',
  'smpte170m',
  'smpte240m',
  'film',
  'bt2020',
  'smpte431',
  'smpte432',
])
const matrices = new Set(['bt709', 'fcc', 'bt470bg', 'smpte170m', 'ycgco', 'bt2020nc', 'bt2020c'])

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

/** Rates that a film of a constant rate has on average, within half a percent. */
const usualRates = [24, 25, 30, 50, 60]
const isUsual = (fps: number) => usualRates.some(each => Math.abs(each - fps) / each < 0.005)
const ratesMax = 60
const rateOfPhones = 30

/**
 * The average, unless frames come at varying distances: then the rate of the closest, so that moving parts stay smooth.
 * That rate may also be a container's time base (1 kHz in WMV).
 */
const fpsOf = ({ avg_frame_rate, r_frame_rate }: Stream) => {
  const average = sensible(ratio(avg_frame_rate))
  const closest = ratio(r_frame_rate)
  if (average === null || closest === null) return average ?? sensible(closest)
  if (closest < average * 1.05 || isUsual(average)) return average
  return closest <= ratesMax ? closest : Math.max(average, rateOfPhones)
}
const sensible = (fps: number | null) => (fps !== null && fps >= 1 && fps <= 1000 ? fps : null)

const turnOf = ({ side_data_list, tags }: Stream): Film['turn'] => {
  // The matrix turns counterclockwise, the old tag clockwise.
  const matrix = side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation
  const degrees = matrix === undefined ? Number(tags.rotate ?? 0) : -matrix
  if (!Number.isFinite(degrees)) return 0
  return ((((Math.round(degrees / 90) * 90) % 360) + 360) % 360) as Film['turn']
}
