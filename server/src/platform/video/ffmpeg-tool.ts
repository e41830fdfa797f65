import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isProgram } from '../process/find-program.ts'
import { framePixelsMax, streamsMax } from './film.ts'
import { filterOf, stillFilter } from './filter.ts'
import { soundKilobits, videoKilobits } from './plan.ts'
import { encoderCrf, encoderLevel, encoderPreset, type VideoTool } from './tool.ts'

// A playlist or concat script would be read as one, whatever its name, and lead to other files: only these containers,
// each forced on the file, and nothing but files.
const onlyThese = [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  'mov,avi,asf',
  '-max_streams',
  String(streamsMax + 1),
]

/** The ffmpeg at this path with its ffprobe next to it, or a sentence saying why it cannot be used. */
export const openFfmpeg = async (path: string): Promise<VideoTool | string> => {
  const ffmpeg = await realpath(path).catch(() => path)
  const ffprobe = join(dirname(ffmpeg), 'ffprobe')
  if (!(await isProgram(ffmpeg))) return `${path} is no program`
  if (!(await isProgram(ffprobe))) return `there is no ffprobe beside ${path}`
  const [version, encoders, filters] = await Promise.all(
    ['-version', '-encoders', '-filters'].map(asked => print(ffmpeg, ['-hide_banner', asked])),
  ).catch((error: Error) => [error.message.slice(0, 200)])
  const [, name] = /^ffmpeg version (\S+)/.exec(version ?? '') ?? []
  if (!name) return `${path} does not run: ${version}`
  if (!/ libx264 /.test(encoders ?? '') || !/ aac /.test(encoders ?? '')) return `${path} cannot encode H.264 and AAC`
  const tonemaps = / zscale /.test(filters ?? '') && / tonemap /.test(filters ?? '')
  return ffmpegTool(`ffmpeg ${name}`, { ffmpeg, ffprobe, tonemaps })
}

type Programs = { ffmpeg: string; ffprobe: string; tonemaps: boolean }

const ffmpegTool = (name: string, { ffmpeg, ffprobe, tonemaps }: Programs): VideoTool => {
  const needs = [dirname(ffmpeg)]
  return {
    name,
    trial: { file: ffmpeg, args: ['-version'], needs },

    inspection: (source, { demuxer }) => ({
      file: ffprobe,
      needs,
      args: [
        ...['-hide_banner', '-v', 'error', ...onlyThese, '-f', demuxer],
        ...['-show_streams', '-show_format', '-of', 'json', '-i', `file:${source}`],
      ],
    }),

    conversion: (source, { demuxer }, target, plan) => ({
      file: ffmpeg,
      needs,
      args: [
        ...['-nostdin', '-hide_banner', '-v', 'error', '-y', '-progress', 'pipe:1', '-stats_period', '1'],
        ...[...onlyThese, '-max_pixels', String(framePixelsMax), '-threads', String(plan.threads)],
        ...['-f', demuxer, '-i', `file:${source}`, '-t', String(plan.secondsMax)],
        ...['-map', `0:${plan.picture}`, ...(plan.sound === null ? [] : ['-map', `0:${plan.sound}`])],
        // No tags, chapters, subtitles or location tracks.
        ...['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'],
        // It turns the picture upright by itself.
        ...['-filter_threads', '1', '-vf', filterOf(plan, tonemaps)],
        ...['-c:v', 'libx264', '-preset', encoderPreset, '-crf', String(encoderCrf)],
        ...['-profile:v', 'high', '-level:v', encoderLevel, '-pix_fmt', 'yuv420p', '-color_range', 'tv'],
        ...['-maxrate', `${videoKilobits}k`, '-bufsize', `${2 * videoKilobits}k`],
        ...['-threads', String(plan.threads), '-g', '250', '-a53cc', '0'],
        ...['-c:a', 'aac', '-b:a', `${soundKilobits}k`, '-ac', '2', '-ar', '48000'],
        ...['-max_muxing_queue_size', '4096', '-movflags', '+faststart', '-f', 'mp4', `file:${target}`],
      ],
    }),

    remux: (source, { demuxer }, target, { picture, sound, codecs }) => ({
      file: ffmpeg,
      needs,
      args: [
        ...['-nostdin', '-hide_banner', '-v', 'error', '-y', '-fflags', '+bitexact', ...onlyThese],
        ...['-f', demuxer, '-i', `file:${source}`],
        ...['-map', `0:${picture}`, ...(sound === null ? [] : ['-map', `0:${sound}`])],
        ...['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn', '-c', 'copy'],
        // Messages of cameras and encoders within the video stream itself.
        ...['-bsf:v', `filter_units=remove_types=${codecs.picture === 'hevc' ? '39|40' : '6'}`],
        ...(codecs.picture === 'hevc' ? ['-tag:v', 'hvc1'] : []),
        ...['-fflags', '+bitexact', '-write_tmcd', '0', '-max_muxing_queue_size', '4096'],
        ...['-movflags', '+faststart', '-f', 'mp4', `file:${target}`],
      ],
    }),

    still: (source, { demuxer }, target) => ({
      file: ffmpeg,
      needs,
      args: [
        ...['-nostdin', '-hide_banner', '-v', 'error', '-y', ...onlyThese, '-threads', '1'],
        ...['-f', demuxer, '-i', `file:${source}`, '-map', '0:v:0', '-filter_threads', '1', '-vf', stillFilter],
        ...['-frames:v', '1', '-c:v', 'png', '-threads', '1', '-f', 'image2', '-update', '1', `file:${target}`],
      ],
    }),
  }
}

const print = async (file: string, args: string[]) =>
  (await promisify(execFile)(file, args, { env: {}, timeout: 60_000, maxBuffer: 4 * 1024 * 1024 })).stdout
