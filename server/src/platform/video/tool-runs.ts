import { availableParallelism } from 'node:os'
import type { Pictures } from '../media/pictures/picture.ts'
import { type Storage, StorageFailed } from '../media/storage/storage.ts'
import { type Command, type Confinement, memoryBytesMax, type Room } from '../sandbox/confinement.ts'
import { type Container, containerOf } from './container.ts'
import { type Film, type FilmLimits, readReport } from './film.ts'
import { beside, keepVideo } from './output-file.ts'
import { planFor } from './plan.ts'
import { VideoRefused } from './refusal.ts'
import { type Running, run, ToolEnded } from './run.ts'
import type { VideoTool } from './tool.ts'

export type ToolRunsOptions = {
  tool: VideoTool
  confinement: Confinement | Promise<Confinement>
  storage: Storage
  pictures: Pick<Pictures, 'prepare'>
  limits: FilmLimits
  /** A conversion may take this long, plus this many times the video's length. */
  graceSeconds?: number
  slownessMax?: number
  /** How long it may go without progress. */
  stallSeconds?: number
  inspectionSeconds?: number
}

const stillSeconds = 60
const remuxSeconds = 300
/** For the tables of an MP4. */
const remuxBytes = 64 * 1024 * 1024
const stillBytesMax = 32 * 1024 * 1024
const threads = Math.min(4, availableParallelism())

export type Progress = { onProgress(percent: number): void; signal: AbortSignal }

/**
 * Runs the tool for each purpose, always in a sandbox, with the one file that it reads and the one that it may write.
 */
export const openToolRuns = (options: ToolRunsOptions) => {
  const { tool, confinement, storage, pictures, limits } = options
  const { graceSeconds = 120, slownessMax = 20, stallSeconds = 120, inspectionSeconds = 30 } = options

  const runWalled = async (command: Command, files: Files, running: Running) => {
    const { cpuSeconds = running.limitSeconds, ...room } = files
    const confined = (await confinement).around(command, { writes: [], ...room, cpuSeconds, memoryBytesMax })
    await run(confined, running).catch(blame)
  }

  const inspect = async (path: string, container: Container, signal: AbortSignal) => {
    let printed = ''
    const onLine = (line: string) => {
      printed += `${line}\n`
      return false
    }
    const running = { limitSeconds: inspectionSeconds, onLine, signal }
    await runWalled(tool.inspection(path, container), { reads: [path], fileBytesMax: 0 }, running)
    return readReport(printed, limits)
  }

  const convert = async (
    path: string,
    container: Container,
    film: Film,
    target: string,
    { onProgress, signal }: Progress,
  ) => {
    const seconds = Math.min(film.seconds ?? limits.secondsMax, limits.secondsMax)
    const plan = planFor(film, { secondsMax: limits.secondsMax, threads })
    const limitSeconds = graceSeconds + slownessMax * seconds
    await runWalled(
      tool.conversion(path, container, target, plan),
      { reads: [path], writes: [target], cpuSeconds: limitSeconds * threads, fileBytesMax: plan.bytesMax },
      { limitSeconds, stallSeconds, onLine: progressIn(film, onProgress), signal },
    )
  }

  const remux = async (path: string, container: Container, film: Film, bytes: number, signal: AbortSignal) => {
    if (!tool.remux || !isRemuxable(film)) return undefined
    const command = tool.remux
    return beside(storage, async target => {
      const files = { reads: [path], writes: [target.path], fileBytesMax: bytes + remuxBytes }
      const running = { limitSeconds: remuxSeconds, onLine: () => false, signal }
      await runWalled(command(path, container, target.path, film), files, running)
      const { width, height, codecs } = await inspect(target.path, containerOf('video/mp4'), signal)
      if (width !== film.width || height !== film.height || codecs.picture !== film.codecs.picture) return undefined
      return { ...(await keepVideo(storage, target)), width, height }
    })
  }

  const cutStill = (path: string, signal: AbortSignal) =>
    beside(storage, async target => {
      const files = { reads: [path], writes: [target.path], fileBytesMax: stillBytesMax }
      const running = { limitSeconds: stillSeconds, onLine: () => false, signal }
      await runWalled(tool.still(path, containerOf('video/mp4'), target.path), files, running)
      return pictures.prepare(target.path, { pixelsMax: limits.pixelsMax, animated: false })
    })

  return { inspect, convert, remux, cutStill }
}

/** Without `cpuSeconds` one thread may compute for as long as the run may take. */
type Files = Pick<Room, 'reads' | 'fileBytesMax'> & { writes?: readonly string[]; cpuSeconds?: number }

/** Reads a conversion's lines: whether one shows that it has come further. */
const progressIn = (film: Film, onProgress: Progress['onProgress']) => {
  let reached = -1
  return (line: string) => {
    const us = Number(/^out_time_us=(\d+)$/.exec(line)?.[1] ?? Number.NaN)
    if (!(us > reached)) return false
    reached = us
    if (film.seconds !== null) onProgress(Math.min(99, Math.floor((us / 10_000 / film.seconds) | 0)))
    return true
  }
}

/** Formats that an MP4 holds unchanged. */
const isRemuxable = ({ codecs: { picture, sound } }: Film) =>
  ['h264', 'hevc'].includes(picture) && (sound === null || ['aac', 'ac3', 'eac3', 'mp3', 'alac'].includes(sound))

/** A tool that gives up, crashes or hangs would do so again on the same file: the video's fault, so a refusal. */
const blame = (error: unknown): never => {
  if (!(error instanceof ToolEnded)) throw error
  if (error.how === 'failed' || error.how === 'crashed') throw new VideoRefused('damaged', error.message)
  if (error.how === 'too-slow' || error.how === 'too-large') throw new VideoRefused('too-slow', error.message)
  if (error.how === 'full') throw new StorageFailed('full', error)
  throw error
}
