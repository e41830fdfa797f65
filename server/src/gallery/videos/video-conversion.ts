import type { Logger } from 'pino'
import { announce } from '../../log/announce.ts'
import { type Database, type Transaction, transact } from '../../platform/database/database.ts'
import { Unavailable } from '../../platform/http/refusals.ts'
import { addJob, limited, type Task } from '../../platform/jobs/jobs.ts'
import type { Storage } from '../../platform/media/storage/storage.ts'
import { VideoRefused } from '../../platform/video/refusal.ts'
import { ToolEnded } from '../../platform/video/run.ts'
import type { StoredVideo } from '../../platform/video/store-upload.ts'
import type { Videos } from '../../platform/video/videos.ts'
import { convertMotion, type Motion, motionTask } from './motion.ts'
import { openProgressAnnouncer } from './progress.ts'
import * as store from './videos-store.ts'

/*
 * Uploaded videos are converted into ones that every browser plays, one at a time, with progress announced to the
 * event.
 */

const task = 'convertVideo'
/** Attempts at a conversion whose process died silently; the conversion may have killed it. */
const triesMax = 8
/**
 * Pauses from the second death on, so that neither a video that kills the service nor a service that dies of something
 * else for a few minutes uses up all attempts.
 */
const pauseMs = (tries: number) => (tries < 2 ? 0 : Math.min(10_000 * 2 ** (tries - 2), 160_000))
/**
 * External faults: a host without memory, a storage that is full or unavailable. The delays between attempts grow; a
 * day in total.
 */
const faultsMax = 13

/** A guest's whole album of videos may wait. */
const waitingMax = { each: 200, all: 2000 }

/** Throws `Unavailable` if too many videos are waiting, from one person or in total. */
export const demandPlace = async (tx: Transaction, ownerId: number, most = waitingMax): Promise<void> => {
  const waiting = await store.countPending(tx, ownerId)
  if (waiting.each >= most.each || waiting.all >= most.all)
    throw new Unavailable('Too many videos wait to be converted. Please try again later.', 300)
}

/** Records that these media show a video, with the job that converts it when its owner's turn comes. */
export const addVideo = async (tx: Transaction, shown: { mediaId: number; ownerId: number }, video: StoredVideo) => {
  await demandPlace(tx, shown.ownerId)
  await store.insertVideo(tx, shown.mediaId, video)
  await queue(tx, shown.mediaId)
}

const queue = async (tx: Transaction, mediaId: number, afterMs = 0) =>
  addJob(tx, task, { mediaId }, { afterMs, priority: await store.giveTurn(tx, mediaId) })

const holdVideoOf = async (tx: Transaction, photoId: number) => {
  const mediaId = await store.mediaOfPhoto(tx, photoId)
  return mediaId === undefined ? undefined : store.holdVideo(tx, mediaId)
}

/** For a restored photo: a conversion interrupted by its deletion starts again. */
export const resumeVideo = async (tx: Transaction, photoId: number) => {
  const video = await holdVideoOf(tx, photoId)
  if (video?.state === 'waiting' || video?.state === 'converting') await queue(tx, video.media_id)
}

/**
 * For bytes uploaded again: a conversion that failed, or is waiting for a fault to pass, starts again. The tool, the
 * limits and the stored file may have changed since.
 */
export const retryVideo = async (tx: Transaction, photoId: number) => {
  const video = await holdVideoOf(tx, photoId)
  if (!video || !(video.state === 'failed' || (video.state === 'waiting' && video.faults + video.tries > 0))) return
  await store.setState(tx, video.media_id, { state: 'waiting', tries: 0, faults: 0 })
  await queue(tx, video.media_id)
  await tell(tx, video)
}

export type ConvertingOptions = {
  /** A pool separate from that of requests. */
  db: Database
  videos: Pick<Videos, 'convert'>
  /** Asks the storage that holds the videos. */
  has: Storage['has']
  log: Pick<Logger, 'warn' | 'error'>
  tellEveryMs?: number
}

/** Video work, for a job queue of its own: a conversion takes minutes, for which no push should wait. */
/** Their names, needed even where no tool converts videos. */
export const convertingTaskNames = [task, motionTask]

export const convertingTasks = (options: ConvertingOptions): Record<string, Task> => ({
  [task]: limited(
    {
      minutes: 6 * 60,
      givenUp: ({ mediaId }: { mediaId: number }) =>
        step(options.db, mediaId, tx => store.setState(tx, mediaId, { state: 'failed', fault: 'gave-up' })),
    },
    ({ mediaId }, late) => convert(options, mediaId, late),
  ),
  [motionTask]: limited({ minutes: 30 }, (motion: Motion) => convertMotion(options, motion)),
})

const convert = async (
  { db, videos, has, log, tellEveryMs = 3_000 }: ConvertingOptions,
  mediaId: number,
  late: AbortSignal,
) => {
  const begun = await begin(db, mediaId)
  if (!begun) return
  const { original_sha256: sha256, original_bytes: bytes, original_type: type } = begun
  const gone = new AbortController()
  const telling = openProgressAnnouncer({ everyMs: tellEveryMs }, async progress => {
    const there = await step(db, mediaId, tx => store.setState(tx, mediaId, { state: 'converting', progress }))
    if (!there) gone.abort()
  })
  try {
    const signal = AbortSignal.any([gone.signal, late])
    const options = { onProgress: telling.reached, signal, cutStill: begun.still_shows_nothing }
    const converted = await videos.convert({ sha256, bytes, type }, options).finally(telling.end)
    await step(db, mediaId, (tx, video) => store.setReady(tx, video, converted, has))
  } catch (error) {
    if (gone.signal.aborted) return
    const next = after(error, begun.faults)
    if (next.state === 'failed')
      log.warn({ err: error, media: mediaId, fault: next.fault }, 'a video cannot be converted')
    await step(db, mediaId, tx => store.setState(tx, mediaId, { ...next, tries: 0 }))
    if (next.state === 'waiting') throw error
  }
}

/** The next state of a video whose conversion ended like this, after this many external faults. */
const after = (error: unknown, faults: number) => {
  if (error instanceof ToolEnded && error.how === 'stopped') return { state: 'waiting' } as const
  const more = { state: 'waiting', fault: 'outside', faults: faults + 1 } as const
  // The host may have been busy: that alone is worth one retry.
  if (error instanceof VideoRefused && !(error.fault === 'too-slow' && faults === 0))
    return { state: 'failed', fault: error.fault } as const
  return more.faults < faultsMax ? more : ({ state: 'failed', fault: 'gave-up' } as const)
}

/** Starts on a video; undefined if there is nothing (more) to do now. */
const begin = async (db: Database, mediaId: number) => {
  let worthIt = false
  const video = await step(db, mediaId, async (tx, { state, tries }) => {
    const pause = state === 'converting' ? pauseMs(tries) : 0
    worthIt = tries < triesMax && pause === 0
    if (worthIt) return store.setState(tx, mediaId, { state: 'converting', tries: tries + 1 })
    // A video that kills the whole service each time leaves no error behind, only its attempts.
    if (tries >= triesMax) return store.setState(tx, mediaId, { state: 'failed', fault: 'gave-up' })
    await queue(tx, mediaId, pause)
    return store.setState(tx, mediaId, { state: 'waiting' })
  })
  return worthIt ? video : undefined
}

/**
 * Applies one step to a video and announces it, in one transaction; undefined, with nothing done, if what showed it is
 * deleted or it was finished before: a job may run twice at once.
 */
const step = (db: Database, mediaId: number, act: (tx: Transaction, video: store.HeldVideo) => Promise<unknown>) =>
  transact(db, async tx => {
    const video = await store.holdVideo(tx, mediaId)
    if (!video || video.state === 'ready' || video.state === 'failed') return undefined
    await act(tx, video)
    await tell(tx, video)
    return video
  })

const tell = async (tx: Transaction, { media_id, event_id: eventId, owner_id: actorId }: store.HeldVideo) => {
  const shown = await store.shownIn(tx, media_id)
  const about = { audience: 'event', eventId, actorId } as const
  await announce(
    tx,
    shown.map(({ kind, id: subjectId }) => ({ ...about, kind, subjectId })),
  )
}
