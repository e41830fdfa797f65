import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { sumFile } from '../media/checksums.ts'
import { PictureRefused, type Pictures, type PreparedPicture } from '../media/pictures/picture.ts'
import { receive } from '../media/received-file.ts'
import { type ByteRange, NotStored, type Storage, StorageFailed, type Temporary } from '../media/storage/storage.ts'
import { type Confinement, memoryBytesMax } from '../sandbox/confinement.ts'
import { type Container, containerOf } from './container.ts'
import { type Film, type FilmLimits, readReport } from './film.ts'
import { planFor } from './plan.ts'
import { VideoRefused } from './refusal.ts'
import { run, ToolEnded } from './run.ts'
import type { VideoTool } from './tool.ts'

/** A converted MP4 in the storage. */
export type VideoVariant = { sha256: string; bytes: number; type: 'video/mp4'; width: number; height: number }
export type Converted = VideoVariant & {
  crc32: number
  seconds: number
  /** The video in its uploaded resolution, if that is larger and could be extracted without its metadata. */
  source: (VideoVariant & { crc32: number }) | undefined
  /** Extracted from it, if that was requested and possible. */
  still: PreparedPicture | undefined
}

/** `range`: a video within a stored file. */
export type Original = { sha256: string; bytes: number; type: string; range?: ByteRange }

export type Converting = { onProgress(percent: number): void; signal?: AbortSignal; cutStill?: boolean }

export type Videos = {
  /** Probes a file that is not stored yet. Throws `VideoRefused`, or `ToolEnded` if that was not the file's fault. */
  inspect(path: string, container: Container): Promise<Film>
  /**
   * Makes the MP4 of a stored original and stores it. `onProgress` receives rising percentages. Throws `VideoRefused`;
   * `ToolEnded`, `StorageFailed`, `NotStored` are worth a retry.
   */
  convert(original: Original, options: Converting): Promise<Converted>
  /** Stops conversions in progress: others, or the next start, go on with them. */
  stopConverting(): void
  /** Stops all that is in progress, and what comes: it ends as `stopped`. */
  close(): void
}

export type VideosOptions = {
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

export const openVideos = (options: VideosOptions): Videos => {
  const { tool, confinement, storage, pictures, limits } = options
  const { graceSeconds = 120, slownessMax = 20, stallSeconds = 120, inspectionSeconds = 30 } = options
  const closing = new AbortController()
  const converting = new AbortController()

  const inspect = async (path: string, container: Container, signal: AbortSignal) => {
    let printed = ''
    const room = { reads: [path], writes: [], cpuSeconds: inspectionSeconds, fileBytesMax: 0, memoryBytesMax }
    const command = (await confinement).around(tool.inspection(path, container), room)
    const onLine = (line: string) => {
      printed += `${line}\n`
      return false
    }
    await run(command, { limitSeconds: inspectionSeconds, onLine, signal }).catch(blame)
    return readReport(printed, limits)
  }

  const convert = async (path: string, container: Container, film: Film, target: string, running: Progress) => {
    const seconds = Math.min(film.seconds ?? limits.secondsMax, limits.secondsMax)
    const plan = planFor(film, { secondsMax: limits.secondsMax, threads })
    const limitSeconds = graceSeconds + slownessMax * seconds
    const room = {
      reads: [path],
      writes: [target],
      cpuSeconds: limitSeconds * threads,
      fileBytesMax: plan.bytesMax,
      memoryBytesMax,
    }
    const command = (await confinement).around(tool.conversion(path, container, target, plan), room)
    let reached = -1
    const onLine = (line: string) => {
      const us = Number(/^out_time_us=(\d+)$/.exec(line)?.[1] ?? Number.NaN)
      if (!(us > reached)) return false
      reached = us
      if (film.seconds !== null) running.onProgress(Math.min(99, Math.floor((us / 10_000 / film.seconds) | 0)))
      return true
    }
    await run(command, { limitSeconds, stallSeconds, onLine, signal: running.signal }).catch(blame)
  }

  /** Undefined if it fails: then the converted video is the best there is. */
  const remux = async (path: string, container: Container, film: Film, bytes: number, signal: AbortSignal) => {
    if (!tool.remux || !isRemuxable(film)) return undefined
    const target = storage.temporary()
    const room = {
      reads: [path],
      writes: [target.path],
      cpuSeconds: remuxSeconds,
      fileBytesMax: bytes + remuxBytes,
      memoryBytesMax,
    }
    try {
      await (await open(target.path, 'wx', 0o600)).close()
      const command = (await confinement).around(tool.remux(path, container, target.path, film), room)
      await run(command, { limitSeconds: remuxSeconds, onLine: () => false, signal }).catch(blame)
      const { width, height, codecs } = await inspect(target.path, containerOf('video/mp4'), signal)
      if (width !== film.width || height !== film.height || codecs.picture !== film.codecs.picture) return undefined
      return { ...(await keep(storage, target)), width, height }
    } catch (error) {
      if (error instanceof VideoRefused) return undefined
      throw error
    } finally {
      await target.remove()
    }
  }

  /** Undefined if it fails: the video matters more than its poster image. */
  const cutStill = async (path: string, signal: AbortSignal) => {
    const target = storage.temporary()
    const room = {
      reads: [path],
      writes: [target.path],
      cpuSeconds: stillSeconds,
      fileBytesMax: stillBytesMax,
      memoryBytesMax,
    }
    try {
      await (await open(target.path, 'wx', 0o600)).close()
      const command = (await confinement).around(tool.still(path, containerOf('video/mp4'), target.path), room)
      await run(command, { limitSeconds: stillSeconds, onLine: () => false, signal }).catch(blame)
      return await pictures.prepare(target.path, { pixelsMax: limits.pixelsMax, animated: false })
    } catch (error) {
      if (error instanceof VideoRefused || error instanceof PictureRefused) return undefined
      throw error
    } finally {
      await target.remove()
    }
  }

  return {
    inspect: (path, container) => inspect(path, container, closing.signal),

    async convert(original, { onProgress, signal, cutStill: stillWanted = false }) {
      const stop = signal ? AbortSignal.any([signal, converting.signal]) : converting.signal
      const container = containerOf(original.type)
      const source = await fetchOriginal(storage, original)
      const target = storage.temporary()
      try {
        // It is created first, so that a sandbox can be given this one file to write.
        await (await open(target.path, 'wx', 0o600)).close()
        const film = await inspect(source.path, container, stop)
        await convert(source.path, container, film, target.path, { onProgress, signal: stop })
        const made = await inspect(target.path, containerOf('video/mp4'), stop).catch(nothingCame)
        const { width, height, seconds } = made
        const still = stillWanted ? await cutStill(target.path, stop) : undefined
        const isLarger = film.width * film.height > width * height && !original.range
        const larger = isLarger ? await remux(source.path, container, film, original.bytes, stop) : undefined
        return { ...(await keep(storage, target)), width, height, seconds: seconds ?? 0, source: larger, still }
      } finally {
        await Promise.all([source.remove(), target.remove()])
      }
    },

    stopConverting: () => converting.abort(),

    close() {
      converting.abort()
      closing.abort()
    },
  }
}

/** Streams an MP4 can hold unchanged, and what is searched for in them. */
const isRemuxable = ({ codecs: { picture, sound } }: Film) =>
  ['h264', 'hevc'].includes(picture) && (sound === null || ['aac', 'ac3', 'eac3', 'mp3', 'alac'].includes(sound))

type Progress = { onProgress(percent: number): void; signal: AbortSignal }

/** A tool that gives up, crashes or hangs would do so again on the same file: the video's fault, so a refusal. */
const blame = (error: unknown): never => {
  if (!(error instanceof ToolEnded)) throw error
  if (error.how === 'failed' || error.how === 'crashed') throw new VideoRefused('damaged', error.message)
  if (error.how === 'too-slow' || error.how === 'too-large') throw new VideoRefused('too-slow', error.message)
  if (error.how === 'full') throw new StorageFailed('full', error)
  throw error
}

/** A file with headers but no frames is converted to an empty one. */
const nothingCame = (error: unknown): never => {
  throw error instanceof VideoRefused ? new VideoRefused('damaged', error.message) : error
}

/** The tools need a seekable file; where the storage keeps its own is internal to it. */
const fetchOriginal = async (storage: Storage, { sha256, bytes, range }: Original) => {
  const { stream } = await storage.open(sha256, range)
  const fetched = await receive(stream, { bytesMax: bytes }, storage)
  if (fetched.sha256 === sha256 || range) return fetched
  await fetched.remove()
  throw new NotStored('The stored original is not what was uploaded.')
}

/** Hashed here rather than by the tool, as for pictures: a compromised tool must not choose the address. */
const keep = async (storage: Storage, temporary: Temporary) => {
  const sums = await sumFile(temporary.path)
  await storage.put(temporary.path, sums.sha256)
  return { ...sums, type: 'video/mp4' as const }
}
