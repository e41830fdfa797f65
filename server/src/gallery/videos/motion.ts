import { open } from 'node:fs/promises'
import { sentence } from '@afterglow/contract/words'
import { announce } from '../../log/announce.ts'
import { type Transaction, transact } from '../../platform/database/database.ts'
import type { FileLimits } from '../../platform/http/bodies/multipart.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import { detectRaw } from '../../platform/media/pictures/raw.ts'
import type { ReceivedFile } from '../../platform/media/received-file.ts'
import { addBeside } from '../../platform/media/records.ts'
import type { Storage } from '../../platform/media/storage/storage.ts'
import type { Beside, StoredPicture } from '../../platform/media/store-picture.ts'
import { detectContainer } from '../../platform/video/container.ts'
import { VideoRefused } from '../../platform/video/refusal.ts'
import { motionSource, pictureOf, setMotion } from './motion-store.ts'
import type { ConvertingOptions } from './video-conversion.ts'

/*
 * Files that a camera stores with a picture: its RAW, and the video part of a Live Photo or motion photo, which plays
 * while pressed.
 */

export const motionTask = 'convertMotion'
/** Converted after every video: nobody waits for a second of movement. */
const priority = 30_000

const rawTypes = 'cr2, cr3, nef, arw, dng, raf, orf, rw2'
const rawHeadBytes = 64 * 1024

/** Only RAW files may be that large for one picture. Refuses with the field's validation message. */
export const demandSize = async (image: ReceivedFile, field: string, limits: Pick<FileLimits, 'photoBytesMax'>) => {
  if (image.bytes > limits.photoBytesMax && !detectRaw(await headOf(image.path)))
    invalid(field, sentence.fileSize(Math.floor(limits.photoBytesMax / 1024)))
}

type Came = { raw?: ReceivedFile | undefined; live?: ReceivedFile | undefined }

/** Stores the files that accompany a picture. Refuses a file of the wrong kind with that field's validation message. */
export const storeCompanions = async (storage: Storage, { raw, live }: Came): Promise<Beside> => {
  const rawType = raw && (detectRaw(await headOf(raw.path)) ?? invalid('raw', sentence.fileType(rawTypes)))
  const container = live && ((await detectContainer(live.path)) ?? invalid('live', sentence.video))
  const kept = async ({ path, sha256, bytes, crc32 }: ReceivedFile, type: string) => {
    await storage.put(path, sha256)
    return { sha256, bytes, crc32, type }
  }
  return {
    ...(raw && rawType && { raw: await kept(raw, rawType) }),
    ...(live && container && { live: await kept(live, container.type) }),
  }
}

const headOf = async (path: string) => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(rawHeadBytes), 0, rawHeadBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export type Motion = {
  mediaId: number
  /** The byte range of a motion photo's video within the stored file. */
  within?: [from: number, to: number]
}

export const addMotion = async (
  tx: Transaction,
  mediaId: number,
  { beside, prepared: { film }, original }: Pick<StoredPicture, 'beside' | 'prepared' | 'original'>,
) => {
  if (beside.live) await addJob(tx, motionTask, { mediaId }, { priority })
  else if (film && film[0] < film[1] && film[1] <= original.bytes)
    await addJob(tx, motionTask, { mediaId, within: film }, { priority })
}

/** For bytes uploaded again, now with additional files. Returns whether the photo lacked any of them. */
export const addWhatWasBeside = async (tx: Transaction, photoId: number, viewer: Viewer, picture: StoredPicture) => {
  if (Object.keys(picture.beside).length === 0) return false
  const mediaId = await pictureOf(tx, photoId)
  if (mediaId === undefined) return false
  const taken = await addBeside(tx, mediaId, picture, viewer.id)
  if (taken.live) await addJob(tx, motionTask, { mediaId }, { priority })
  return Object.keys(taken).length > 0
}

/** If the video part cannot be converted, the photo stays a still. */
export const convertMotion = async (
  { db, videos, has, log }: ConvertingOptions,
  { mediaId, within }: Motion,
): Promise<void> => {
  const source = await motionSource(db, mediaId)
  if (!source) return
  const original = within
    ? {
        sha256: source.sha256,
        bytes: within[1] - within[0],
        type: 'video/mp4',
        range: { start: within[0], end: within[1] - 1 },
      }
    : source.live
  if (!original) return
  try {
    const {
      seconds: _,
      still: __,
      crc32: ___,
      source: ____,
      ...made
    } = await videos.convert(original, { onProgress: () => {} })
    await transact(db, async tx => {
      const photos = await setMotion(tx, mediaId, made, has)
      await announce(
        tx,
        photos.map(({ id, event_id: eventId, taken_by: actorId }) => ({
          kind: 'photo.updated' as const,
          audience: 'event' as const,
          eventId,
          actorId,
          subjectId: id,
        })),
      )
    })
  } catch (error) {
    if (!(error instanceof VideoRefused)) throw error
    log.warn({ err: error, media: mediaId }, 'the moment of a photo cannot be converted')
  }
}
