import { writeFile } from 'node:fs/promises'
import { Decoder, Demuxer, Encoder, FilterAPI, Muxer } from 'node-av/api'
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FF_ENCODER_PNG,
} from 'node-av/constants'
import { avGetCodecName, avGetPixFmtName, getFFmpegInfo, type Packet, type Stream } from 'node-av/lib'
import type { Container } from './container.ts'
import { framePixelsMax, streamsMax } from './film.ts'
import { filterOf, stillFilter } from './filter.ts'
import { type Plan, soundKilobits, videoKilobits } from './plan.ts'
import { encoderCrf, encoderLevel, encoderPreset } from './tool.ts'

/*
 * The program that reads and converts untrusted videos where there is no ffmpeg. It speaks like ffmpeg and ffprobe: its
 * findings as ffprobe's JSON, its progress in the lines of -progress, and a non-zero code for a bad file.
 */

type Source = { source: string; demuxer: Container['demuxer'] }
export type NodeAvTask =
  | { act: 'version' }
  | ({ act: 'inspect' } & Source)
  | ({ act: 'convert'; target: string; plan: Plan } & Source)
  | ({ act: 'still'; target: string } & Source)

const perform = async (task: NodeAvTask) => {
  if (task.act === 'version') console.log(getFFmpegInfo().version)
  else if (task.act === 'inspect') await inspect(task)
  else if (task.act === 'convert') await convert(task, task)
  else await cutStill(task, task.target)
}

const open = ({ source, demuxer }: Source) =>
  Demuxer.open(source, {
    format: demuxer,
    options: { protocol_whitelist: 'file', format_whitelist: 'mov,avi,asf', max_streams: streamsMax + 1 },
  })

// ---- what is in a file ----

const inspect = async (source: Source) => {
  await using input = await open(source)
  const { duration, metadata } = input
  console.log(JSON.stringify({ streams: input.streams.map(report), format: { duration, tags: metadata } }))
}

const types: Record<number, string> = { [AVMEDIA_TYPE_VIDEO]: 'video', [AVMEDIA_TYPE_AUDIO]: 'audio' }
const transfers: Record<number, string> = {
  [AVCOL_TRC_SMPTE2084]: 'smpte2084',
  [AVCOL_TRC_ARIB_STD_B67]: 'arib-std-b67',
}
const ratio = ({ num, den }: { num: number; den: number }) => `${num}/${den}`

const report = (stream: Stream) => {
  const { codecpar: par } = stream
  const matrix = par.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  return {
    index: stream.index,
    codec_type: types[par.codecType] ?? '',
    codec_name: avGetCodecName(par.codecId) ?? '',
    width: par.width,
    height: par.height,
    sample_aspect_ratio: ratio(par.sampleAspectRatio),
    avg_frame_rate: ratio(stream.avgFrameRate),
    r_frame_rate: ratio(stream.rFrameRate),
    pix_fmt: avGetPixFmtName(par.format as Parameters<typeof avGetPixFmtName>[0]) ?? '',
    nb_frames: Number(stream.nbFrames) || undefined,
    color_transfer: transfers[par.colorTrc] ?? '',
    disposition: {
      attached_pic: stream.disposition & AV_DISPOSITION_ATTACHED_PIC ? 1 : 0,
      default: stream.disposition & AV_DISPOSITION_DEFAULT ? 1 : 0,
    },
    side_data_list: matrix ? [{ rotation: rotationOf(matrix) }] : [],
    tags: stream.metadata?.getAll() ?? {},
  }
}

/** Degrees counterclockwise, from the 3 × 3 fixed-point matrix in containers. */
const rotationOf = (matrix: Buffer) => {
  const at = (n: number) => matrix.readInt32LE(n * 4)
  return (-Math.atan2(at(1), at(0)) * 180) / Math.PI
}

// ---- converting ----

/** As ffmpeg does by itself: a front camera writes a matrix that mirrors, too. */
const uprightFilter = ({ codecpar }: Stream, turn: Plan['turn']) => {
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  const [turned, mirrored] = turns[turn]
  return matrix && determinant(matrix) < 0 ? mirrored : turned
}
const turns: Record<Plan['turn'], readonly [turned: string, mirrored: string]> = {
  0: ['', 'vflip,'],
  90: ['transpose=clock,', 'transpose=cclock_flip,'],
  180: ['hflip,vflip,', 'hflip,'],
  270: ['transpose=cclock,', 'transpose=clock_flip,'],
}
const determinant = (matrix: Buffer) => {
  const at = (n: number) => matrix.readInt32LE(n * 4) / 0x10000
  return at(0) * at(4) - at(1) * at(3)
}

const convert = async (source: Source, { target, plan }: { target: string; plan: Plan }) => {
  const { threads, secondsMax } = plan
  await using input = await open(source)
  const streamAt = (index: number) => {
    const found = input.streams.find(stream => stream.index === index)
    if (!found) throw new Error(`There is no stream ${index}.`)
    return found
  }
  // No tags or locations, because nothing is copied from the input.
  await using output = await Muxer.open(target, { format: 'mp4', options: { movflags: '+faststart' } })

  const pictures = async () => {
    const stream = streamAt(plan.picture)
    using decoder = await Decoder.create(stream, {
      exitOnError: false,
      threadCount: threads,
      options: { max_pixels: framePixelsMax },
    })
    const upright = uprightFilter(stream, plan.turn)
    // Only its frames say here whether they are half pictures.
    using filter = FilterAPI.create(
      `trim=duration=${secondsMax},${upright}${filterOf({ ...plan, interlaced: true }, true)}`,
      { threads: 1 },
    )
    using encoder = await Encoder.create(FF_ENCODER_LIBX264, {
      decoder,
      filter,
      threadCount: threads,
      bitrate: 0,
      maxRate: `${videoKilobits}k`,
      bufSize: `${2 * videoKilobits}k`,
      gopSize: 250,
      options: { preset: encoderPreset, crf: encoderCrf, profile: 'high', level: encoderLevel, a53cc: false },
    })
    const index = output.addStream(encoder)
    ready()
    await allReady
    await write(encoder.packets(filter.frames(decoder.frames(input.packets(stream.index)))), index, tellProgress())
  }
  const sounds = async (sound: number) => {
    const stream = streamAt(sound)
    using decoder = await Decoder.create(stream, { exitOnError: false, threadCount: 1 })
    const shape = 'aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo'
    using filter = FilterAPI.create(`atrim=duration=${secondsMax},${shape}`, { threads: 1 })
    using encoder = await Encoder.create(FF_ENCODER_AAC, { decoder, filter, bitrate: `${soundKilobits}k` })
    const index = output.addStream(encoder)
    ready()
    await allReady
    await write(encoder.packets(filter.frames(decoder.frames(input.packets(stream.index)))), index)
  }
  const write = async (packets: AsyncIterable<Packet | null>, index: number, tell?: (packet: Packet) => void) => {
    for await (const packet of packets) {
      await output.writePacket(packet, index)
      if (packet) tell?.(packet)
      packet?.free()
    }
  }

  // The first packet writes the header, which must know every stream.
  let waitingFor = plan.sound === null ? 1 : 2
  const { promise: allReady, resolve } = Promise.withResolvers<void>()
  const ready = () => {
    waitingFor -= 1
    if (waitingFor === 0) resolve()
  }
  await Promise.all([pictures(), ...(plan.sound === null ? [] : [sounds(plan.sound)])])
  await output.close()
  console.log('progress=end')
}

/** For a converted video, which is upright. */
const cutStill = async (source: Source, target: string) => {
  await using input = await open(source)
  const stream = input.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO)
  if (!stream) throw new Error('There is no picture.')
  using decoder = await Decoder.create(stream, { threadCount: 1, options: { max_pixels: framePixelsMax } })
  using filter = FilterAPI.create(stillFilter, { threads: 1 })
  using encoder = await Encoder.create(FF_ENCODER_PNG, { decoder, filter, threadCount: 1 })
  for await (const packet of encoder.packets(filter.frames(decoder.frames(input.packets(stream.index))))) {
    if (!packet?.data) continue
    await writeFile(target, packet.data)
    return
  }
  throw new Error('There is no picture.')
}

const tellProgress = () => {
  let told = 0
  return (packet: Packet) => {
    if (performance.now() - told < 1000) return
    told = performance.now()
    const { num, den } = packet.timeBase
    console.log(`out_time_us=${Math.round((Number(packet.pts) * num * 1_000_000) / den)}`)
  }
}

try {
  await perform(JSON.parse(process.argv[2] ?? '') as NodeAvTask)
  process.exit(0)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
