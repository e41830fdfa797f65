import type { PreparedPicture } from '../media/pictures/picture.ts'
import { receive } from '../media/received-file.ts'
import { type ByteRange, NotStored, type Storage } from '../media/storage/storage.ts'
import { type Container, containerOf } from './container.ts'
import type { Film } from './film.ts'
import { createEmpty, keepVideo } from './output-file.ts'
import { VideoRefused } from './refusal.ts'
import { openToolRuns, type ToolRunsOptions } from './tool-runs.ts'

/** A converted MP4 in the storage. */
export type VideoVariant = { sha256: string; bytes: number; type: 'video/mp4'; width: number; height: number }
export type ConvertedVideo = VideoVariant & {
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
  convert(original: Original, options: Converting): Promise<ConvertedVideo>
  /** Stops conversions in progress: others, or the next start, go on with them. */
  stopConverting(): void
  /** Stops all that is in progress, and what comes: it ends as `stopped`. */
  close(): void
}

export const openVideos = (options: ToolRunsOptions): Videos => {
  const { storage } = options
  const { inspect, convert, remux, cutStill } = openToolRuns(options)
  const closing = new AbortController()
  const converting = new AbortController()

  return {
    inspect: (path, container) => inspect(path, container, closing.signal),

    async convert(original, { onProgress, signal, cutStill: stillWanted = false }) {
      const stop = signal ? AbortSignal.any([signal, converting.signal]) : converting.signal
      const container = containerOf(original.type)
      const source = await fetchOriginal(storage, original)
      const target = storage.temporary()
      try {
        await createEmpty(target)
        const film = await inspect(source.path, container, stop)
        await convert(source.path, container, film, target.path, { onProgress, signal: stop })
        const made = await inspect(target.path, containerOf('video/mp4'), stop).catch(nothingCame)
        const { width, height, seconds } = made
        const still = stillWanted ? await cutStill(target.path, stop) : undefined
        const isLarger = film.width * film.height > width * height && !original.range
        const larger = isLarger ? await remux(source.path, container, film, original.bytes, stop) : undefined
        return { ...(await keepVideo(storage, target)), width, height, seconds: seconds ?? 0, source: larger, still }
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
