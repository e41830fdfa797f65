import { can } from '@afterglow/contract/capabilities'
import type { RawBuilder } from 'kysely'
import { audit } from '../events/audit/audit.ts'
import { announce, type ChangeKind } from '../log/announce.ts'
import { withdrawDeleted, withdrawTagged } from '../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { orDone, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addHeldPictures, removeMedia } from '../platform/media/records.ts'
import type { StoredPicture } from '../platform/media/store-picture.ts'
import type { StoredVideo } from '../platform/video/store-upload.ts'
import { galleryToUploadTo, mayDeletePhoto, mayDescribePhoto, photoFor, photoToChange } from './access.ts'
import { commentIdsOf } from './comments/comments-store.ts'
import * as doubles from './duplicates/duplicates-store.ts'
import { announceMessages, deletionDetail, hold, holdPhoto, messagesToAnnounce } from './duplicates/one-photo.ts'
import { findDeletedPhoto } from './moderation/deleted-store.ts'
import { tagsOfComment, tagsOfPhoto, tellsOfComment } from './notification-tags.ts'
import * as store from './store.ts'
import { addMotion, addWhatWasBeside } from './videos/motion.ts'
import { addVideo, retryVideo } from './videos/video-conversion.ts'

export type NewPhoto = {
  eventId: number
  /** For a video, its poster image. */
  picture: StoredPicture
  video: StoredVideo | undefined
  caption: string | null
  altText: string | null
  /** The uploader's other uploads: places they reserve, and bytes that this one takes over. */
  held: { places: RawBuilder<number>; bytes: number }
}

/** Comes first in a transaction that adds an upload: nobody adds the same bytes, and this person nothing else, meanwhile. */
export const holdUpload = async (
  tx: Transaction,
  viewer: Viewer,
  { eventId, picture, video }: Pick<NewPhoto, 'eventId' | 'picture' | 'video'>,
) => {
  await hold(tx, eventId, sumsOf(picture, video))
  await holdUploader(tx, viewer, eventId)
}

export const holdUploader = (tx: Transaction, viewer: Viewer, eventId: number) =>
  store.lockUploader(tx, viewer.id, eventId)

const sumsOf = ({ original, uploadSha256, beside }: StoredPicture, video: StoredVideo | undefined): doubles.Sums => ({
  sha256: original.sha256,
  uploadSha256,
  videoSha256: video?.original.sha256,
  beside: Object.values(beside).map(({ sha256 }) => sha256),
})

/**
 * Adds a picture or video to a gallery, within `holdUpload`. Its files are already on disk; if this refuses, the
 * storage's sweeper removes them after its grace period. Returns the photo's ID, and whether it already existed with the
 * same bytes, from anyone. In that case only what it lacks is added: a caption, a description, a retry of a failed video.
 */
export const addPhoto = async (
  tx: Transaction,
  viewer: Viewer,
  { eventId, picture, video, caption, altText, held }: NewPhoto,
  photosMax: number,
): Promise<{ id: number; wasThere: boolean }> => {
  const sums = sumsOf(picture, video)
  const before = await galleryToUploadTo(tx, viewer, { eventId, sums, placesHeld: held.places }, photosMax)
  if (before !== undefined) {
    if (video) await retryVideo(tx, before)
    const added = !video && (await addWhatWasBeside(tx, before, viewer, picture))
    const filled = await store.updateTexts(tx, before, viewer.id, { caption, altText, onlyEmpty: true })
    if (added || filled) await announce(tx, about('photo.updated', viewer, { id: before, event_id: eventId }))
    return { id: before, wasThere: true }
  }
  const messageIds = await messagesToAnnounce(tx, eventId, sums)
  await store.addToPhotosCount(tx, viewer.id, eventId, 1)
  const shown = video ? withTimeOf(video, picture) : picture
  const beside = (video?.original.bytes ?? 0) - held.bytes
  const [mediaId] = (await addHeldPictures(tx, [shown], { eventId, ownerId: viewer.id, beside })) as [number]
  const photo = { eventId, mediaId, takenBy: viewer.id, attachmentId: null, caption, altText }
  // Only an attachment can already be in the gallery.
  const id = (await store.insertPhoto(tx, photo)) as number
  // A poster image may look like any picture; what counts is the video.
  if (video) await addVideo(tx, { mediaId, ownerId: viewer.id }, video)
  else {
    await doubles.noteDouble(tx, { id, eventId })
    await addMotion(tx, mediaId, picture)
  }
  await announce(tx, about('photo.created', viewer, { id, event_id: eventId }))
  await announceMessages(tx, { eventId, actorId: viewer.id }, messageIds)
  return { id, wasThere: false }
}

/** A frame taken from a video says nothing about its capture time. */
export const withTimeOf = ({ film }: StoredVideo, picture: StoredPicture): StoredPicture => ({
  ...picture,
  prepared: { ...picture.prepared, taken: picture.prepared.taken ?? film.taken },
})

const about = <Kind extends ChangeKind>(kind: Kind, viewer: Viewer, photo: { id: number; event_id: number }) =>
  ({ kind, audience: 'event', eventId: photo.event_id, actorId: viewer.id, subjectId: photo.id }) as const

/** Undefined leaves a text unchanged, null removes it. */
export const describePhoto = (
  db: Db,
  viewer: Viewer,
  id: number,
  texts: { caption?: string | null | undefined; altText?: string | null | undefined },
) =>
  transact(db, async tx => {
    const photo = await photoToChange(tx, viewer, id, 'notInEvent', 'gallery')
    if (!mayDescribePhoto(viewer, photo)) refuse('notUploader')
    const changed = (await store.updateTexts(tx, id, viewer.id, texts)) ?? refuse('noSuchPhoto')
    if (changed) await announce(tx, about('photo.updated', viewer, photo))
  })

/**
 * Deletes a photo from the gallery. An upload's place in the quota becomes free; an attachment can be added again.
 * Deleting again has no effect.
 */
export const deletePhoto = (db: Db, viewer: Viewer, id: number) => {
  const removed = transact(db, async tx => {
    const photo = await photoFor(tx, viewer, id, 'notInEvent', 'gallery')
    if (!mayDeletePhoto(viewer, photo)) refuse('mayNotDeletePhoto')
    const { event_id: eventId, taken_by: takenBy } = photo
    const isUpload = photo.attachment_id === null
    const sums = await holdPhoto(tx, { mediaId: photo.media_id })
    // Before the standing: for one's own upload, the count takes the stronger lock on the same row.
    if (isUpload) await store.addToPhotosCount(tx, takenBy, eventId, -1)
    if (!mayDeletePhoto(viewer, await photoToChange(tx, viewer, id, 'notInEvent', 'gallery')))
      refuse('mayNotDeletePhoto')
    if (!isUpload) await store.lockChatOf(tx, eventId)
    const messageIds = sums ? await messagesToAnnounce(tx, eventId, sums) : []
    const takenDown = takenBy !== viewer.id
    const deleted = (await store.markDeleted(tx, photo, { takenDown })) ?? refuse('noSuchPhoto')
    await doubles.forgetDoubles(tx, [id])
    if (deleted.ownMedia) await removeMedia(tx, [photo.media_id])
    if (takenDown) await audit(tx, viewer, { act: 'photo.deleted', eventId, subjectId: id, userId: takenBy })
    await announce(tx, { ...about('photo.deleted', viewer, photo), ...deletionDetail(deleted) })
    await announceMessages(tx, { eventId, actorId: viewer.id }, messageIds)
    await withdrawPhoto(tx, photo)
  })
  return orDone(removed, ['noSuchPhoto'], async () => {
    const photo = await findDeletedPhoto(db, viewer.id, id)
    return photo !== undefined && can(photo.standing, 'gallery') && mayDeletePhoto(viewer, photo)
  })
}

/** No notification about a photo outlives it, nor about the comments on it. */
export const withdrawPhoto = async (
  tx: Transaction,
  { id, event_id }: { id: number; event_id: number },
  fate: 'deleted' | 'hidden' = 'deleted',
) => {
  const commentIds = await commentIdsOf(tx, id)
  await withdrawTagged(tx, event_id, [...tagsOfPhoto(id), ...commentIds.flatMap(tagsOfComment)], fate)
  await withdrawDeleted(tx, {
    eventId: event_id,
    kinds: tellsOfComment,
    subjectIds: commentIds,
    gone: { of: 'comment', fate },
  })
}
