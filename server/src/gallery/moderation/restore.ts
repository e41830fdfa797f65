import { can } from '@afterglow/contract/capabilities'
import { announce } from '../../log/announce.ts'
import { type Db, transact } from '../../platform/database/database.ts'
import { orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { restoreMedia } from '../../platform/media/records.ts'
import {
  deletedPhotoFor,
  deletedPhotoToChange,
  mayDeletePhoto,
  mayHide,
  mayRestorePhoto,
  maySeeDeleted,
} from '../access.ts'
import { noteDouble, photoOfBytes, takenDown } from '../duplicates/duplicates-store.ts'
import { announceMessages, holdPhoto, messagesToAnnounce } from '../duplicates/one-photo.ts'
import * as store from '../store.ts'
import { resumeVideo } from '../videos/video-conversion.ts'
import * as deleted from './deleted-store.ts'

/** Its uploader is told that it was taken down; for others there is no such photo. */
const demandRestorable = (viewer: Viewer, photo: deleted.FoundDeletedPhoto) => {
  if (mayRestorePhoto(viewer, photo) && maySeeDeleted(viewer, photo)) return photo
  return refuse(photo.taken_by === viewer.id ? 'takenDown' : 'noSuchPhoto')
}

/**
 * Restores a deleted photo to its place, with its likes and comments. An upload counts towards the quota again; as
 * ever, there is at most one photo with the same bytes. Restoring again has no effect. Returns whether
 * it is back by this.
 */
export const restorePhoto = async (db: Db, viewer: Viewer, id: number, photosMax: number): Promise<boolean> => {
  let isBack = false
  const restored = transact(db, async tx => {
    const photo = await deletedPhotoFor(tx, viewer, id)
    demandRestorable(viewer, photo)
    const { event_id: eventId, taken_by: takenBy, attachment_id: attachmentId } = photo
    const isUpload = attachmentId === null
    const sums = (await holdPhoto(tx, { mediaId: photo.media_id })) ?? refuse('noSuchPhoto')
    // Before the standing: for one's own upload, the count takes the stronger lock on the same row.
    if (isUpload) await store.lockUploader(tx, takenBy, eventId)
    const { standing } = demandRestorable(viewer, await deletedPhotoToChange(tx, viewer, id))
    // Or another photo with the same bytes was taken down since.
    if (!mayHide(standing) && (await takenDown(tx, eventId, sums, { viewerId: viewer.id, but: id })))
      refuse('takenDown')
    if (isUpload) {
      const taker = await store.findGallery(tx, takenBy, eventId)
      if (taker && taker.photos_count >= (taker.photos_max ?? photosMax)) refuse('tooManyPhotos')
      await store.addToPhotosCount(tx, takenBy, eventId, 1)
    }
    // Every change to the attachment, by adding it to the album or deleting it, locks the chat as well.
    if (!isUpload) await store.lockChatOf(tx, eventId)
    const messageIds = await messagesToAnnounce(tx, eventId, sums)
    if ((await photoOfBytes(tx, eventId, sums)) !== undefined) refuse('alreadyInAlbum')
    const { ownMedia } = (await deleted.unmarkDeleted(tx, photo)) ?? refuse('noSuchPhoto')
    if (ownMedia) await restoreMedia(tx, photo.media_id)
    await noteDouble(tx, { id, eventId })
    await resumeVideo(tx, id)
    await announce(tx, { kind: 'photo.created', audience: 'event', eventId, actorId: viewer.id, subjectId: id })
    await announceMessages(tx, { eventId, actorId: viewer.id }, messageIds)
  }).then(() => {
    isBack = true
  })
  await orDone(restored, ['noSuchPhoto'], async () => {
    const photo = await store.findPhoto(db, viewer.id, id)
    return photo !== undefined && can(photo.standing, 'read') && mayDeletePhoto(viewer, photo)
  })
  return isBack
}
