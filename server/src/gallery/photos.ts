import { can } from '@afterglow/contract/capabilities'
import { audit } from '../events/audit.ts'
import { announce, type ChangeKind } from '../log/announce.ts'
import { takeBack, withdrawDeleted, withdrawTagged } from '../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { orDone, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addPictures, type KeptPicture, removeMedia } from '../platform/media/records.ts'
import type { KeptVideo } from '../platform/video/store-upload.ts'
import { galleryToUploadTo, mayDeletePhoto, mayDescribePhoto, photoFor, photoToChange } from './access.ts'
import { commentIdsOf } from './comments-store.ts'
import { findDeletedPhoto } from './deleted-store.ts'
import * as doubles from './duplicates-store.ts'
import { addMotion, addWhatWasBeside } from './motion.ts'
import { tags, tagsOfComment, tagsOfPhoto, tellsOfComment } from './notification-templates.ts'
import { hold, holdPhoto, messagesToTell, tellMessages } from './one-photo.ts'
import { markUsed, reservedBytes } from './sessions-store.ts'
import * as store from './store.ts'
import { idsOf, type Named, photoMadeOf } from './upload-sessions.ts'
import { addVideo, retryVideo } from './video-conversion.ts'

export type Upload = {
  eventId: number
  /** For a video, its poster image. */
  picture: KeptPicture
  video: KeptVideo | undefined
  /** The resumable uploads of its files. */
  sessions: Named
  caption: string | null
  altText: string | null
}

/**
 * Adds an uploaded picture or video to a gallery. Its files are already on disk; if this refuses, the storage's sweeper
 * removes them after its grace period. Returns the photo's ID, and whether it already existed with the same bytes, from
 * anyone. In that case only what it lacks is added: a caption, a description, a retry of a failed video. It may also
 * have been created by a concurrent request with the same sessions.
 */
export const uploadPhoto = async (
  tx: Transaction,
  viewer: Viewer,
  upload: Upload,
  photosMax: number,
): Promise<{ id: number; wasThere: boolean }> => {
  const { eventId, picture, video, sessions, caption, altText } = upload
  const { original, uploadSha256 } = picture
  const sums = { sha256: original.sha256, uploadSha256, videoSha256: video?.original.sha256 }
  await hold(tx, eventId, sums)
  await store.lockUploader(tx, viewer.id, eventId)
  const twins = await photoMadeOf(tx, viewer, eventId, sessions, true)
  if (twins !== undefined) return { id: twins, wasThere: false }
  const file = { eventId, sums, sessions: idsOf(sessions) }
  const before = await galleryToUploadTo(tx, viewer, file, photosMax)
  if (before !== undefined) {
    await markUsed(tx, idsOf(sessions), before)
    if (video) await retryVideo(tx, before)
    const added = !video && (await addWhatWasBeside(tx, before, viewer, picture))
    const filled = await store.fillTexts(tx, before, { caption, altText })
    if (added || filled) await announce(tx, about('photo.updated', viewer, { id: before, event_id: eventId }))
    return { id: before, wasThere: true }
  }
  const messageIds = await messagesToTell(tx, eventId, sums)
  await store.addToPhotosCount(tx, viewer.id, eventId, 1)
  const shown = video ? withTimeOf(video, picture) : picture
  const beside = (video?.original.bytes ?? 0) - (await reservedBytes(tx, idsOf(sessions)))
  const [mediaId] = (await addPictures(tx, [shown], { eventId, ownerId: viewer.id, beside })) as [number]
  const photo = { eventId, mediaId, takenBy: viewer.id, attachmentId: null, caption, altText }
  // Only an attachment can already be in the gallery.
  const id = (await store.insertPhoto(tx, photo)) as number
  await markUsed(tx, idsOf(sessions), id)
  // A poster image may look like any picture; what counts is the video.
  if (video) await addVideo(tx, { mediaId, ownerId: viewer.id }, video)
  else {
    await doubles.noteDouble(tx, { id, eventId })
    await addMotion(tx, mediaId, picture)
  }
  await announce(tx, about('photo.created', viewer, { id, event_id: eventId }))
  await tellMessages(tx, { eventId, actorId: viewer.id }, messageIds)
  return { id, wasThere: false }
}

/** A frame taken from a video says nothing about its capture time. */
export const withTimeOf = ({ film }: KeptVideo, picture: KeptPicture): KeptPicture => ({
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
    const photo = await photoToChange(tx, viewer, id)
    if (!mayDescribePhoto(viewer, photo)) refuse('notUploader')
    const changed = (await store.updateTexts(tx, id, texts)) ?? refuse('noSuchPhoto')
    if (changed) await announce(tx, about('photo.updated', viewer, photo))
  })

/** Likes a photo or removes the like; repeating it has no effect. */
export const setLiked = (db: Db, viewer: Viewer, id: number, liked: boolean) =>
  transact(db, async tx => {
    const photo = await photoToChange(tx, viewer, id)
    const changed = (await store.setLiked(tx, viewer.id, id, liked)) ?? refuse('noSuchPhoto')
    if (!changed) return
    await announce(tx, { ...about('photo.liked', viewer, photo), ...(liked && { notify: true }) })
    if (!liked) await takeLikeBack(tx, viewer, photo)
  })

const takeLikeBack = (tx: Transaction, viewer: Viewer, { id, taken_by: userId }: { id: number; taken_by: number }) =>
  takeBack(tx, { userId, tag: tags.likes(id), actorId: viewer.id })

/**
 * Deletes a photo from the gallery. An upload's place in the quota becomes free; an attachment can be added again.
 * Deleting again has no effect.
 */
export const deletePhoto = (db: Db, viewer: Viewer, id: number) => {
  const removed = transact(db, async tx => {
    const photo = await photoFor(tx, viewer, id)
    if (!mayDeletePhoto(viewer, photo)) refuse('mayNotDeletePhoto')
    const { event_id: eventId, taken_by: takenBy } = photo
    const isUpload = photo.attachment_id === null
    const sums = await holdPhoto(tx, { mediaId: photo.media_id })
    // Before the standing: for one's own upload, the count takes the stronger lock on the same row.
    if (isUpload) await store.addToPhotosCount(tx, takenBy, eventId, -1)
    if (!mayDeletePhoto(viewer, await photoToChange(tx, viewer, id))) refuse('mayNotDeletePhoto')
    if (!isUpload) await store.lockChatOf(tx, eventId)
    const messageIds = sums ? await messagesToTell(tx, eventId, sums) : []
    const takenDown = takenBy !== viewer.id
    const deleted = (await store.markDeleted(tx, photo, { takenDown })) ?? refuse('noSuchPhoto')
    await doubles.forgetDoubles(tx, id)
    if (deleted.ownMedia) await removeMedia(tx, [photo.media_id])
    if (takenDown) await audit(tx, viewer, { act: 'photo.deleted', eventId, subjectId: id, userId: takenBy })
    const onlyTo = photo.hidden_at === null ? {} : { detail: { only: takenBy } }
    await announce(tx, { ...about('photo.deleted', viewer, photo), ...onlyTo })
    await tellMessages(tx, { eventId, actorId: viewer.id }, messageIds)
    await withdrawPhoto(tx, photo)
  })
  return orDone(removed, ['noSuchPhoto'], async () => {
    const photo = await findDeletedPhoto(db, viewer.id, id)
    return photo !== undefined && can(photo.standing, 'read') && mayDeletePhoto(viewer, photo)
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
