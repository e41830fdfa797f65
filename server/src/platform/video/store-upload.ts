import { sentence } from '@afterglow/contract/words'
import { invalid } from '../http/refusals.ts'
import { openFairQueue, type Turn } from '../jobs/fair-queue.ts'
import type { ReceivedFile } from '../media/received-file.ts'
import type { Storage } from '../media/storage/storage.ts'
import { detectContainer, endsEarly } from './container.ts'
import { type Film, framePixelsMax } from './film.ts'
import { type VideoFault, VideoRefused } from './refusal.ts'
import type { Original, Videos } from './videos.ts'

/** A video whose original is safely on disk, before any row names it. */
export type StoredVideo = {
  original: Original & { crc32: number }
  film: Film
  /** The storage, where the file is. */
  has: Storage['has']
}

/**
 * Stores the upload of a form field, wherever it was received, after probing it. Refuses with that field's validation
 * message if we do not accept the video, and always if there is nothing to convert it with.
 */
export type StoreVideo = (file: ReceivedFile, field: string, turn: Turn) => Promise<StoredVideo>

const inspections = {
  atOnce: 2,
  waitingMax: 500,
  waitingMaxEach: 100,
  full: 'Too many videos wait to be read. Please try again in a moment.',
}

export const openVideoKeeping = (
  videos: Videos | undefined,
  storage: Storage,
  { videoSecondsMax }: { videoSecondsMax: number },
): StoreVideo => {
  const queue = openFairQueue(inspections)
  return async (file, field, turn) => {
    if (!videos) return invalid(field, sentence.videoTool)
    const container = (await detectContainer(file.path)) ?? invalid(field, sentence.video)
    const film = await queue
      .run(turn, 1, () => videos.inspect(file.path, container))
      .catch(async error => {
        if (!(error instanceof VideoRefused)) throw error
        const cut = error.fault === 'damaged' && container.demuxer === 'mov' && (await endsEarly(file.path))
        return invalid(field, sentenceFor(cut ? 'incomplete' : error.fault, videoSecondsMax))
      })
    await storage.put(file.path, file.sha256)
    const { sha256, bytes, crc32 } = file
    return { original: { sha256, bytes, crc32, type: container.type }, film, has: storage.has }
  }
}

const sentenceFor = (fault: VideoFault, secondsMax: number) => {
  if (fault === 'too-long') return sentence.minutes(Math.floor(secondsMax / 60))
  if (fault === 'too-many-pixels') return sentence.pixels(Math.floor(framePixelsMax / 1_000_000))
  if (fault === 'too-much-memory') return sentence.videoMemory
  if (fault === 'no-picture') return sentence.videoPicture
  if (fault === 'incomplete') return sentence.videoEnd
  return fault === 'damaged' ? sentence.videoDamaged : sentence.video
}
