import { announce } from '../notifications/announce.ts'
import { type Db, transact } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { restoreMedia } from '../platform/media/records.ts'
import { deletedPhotoFor, deletedPhotoToChange, mayRestorePhoto } from './access.ts'
import * as deleted from './deleted-store.ts'
import { noteDouble, photoOfBytes } from './duplicates-store.ts'
import { holdPhoto, messagesToTell, tellMessages } from './one-photo.ts'
import * as store from './store.ts'
import { resumeVideo } from './video-conversion.ts'

/**
 * Restores a deleted photo to its place, with its likes and comments. An upload counts towards the quota again; as
 * ever, there is at most one photo with the same bytes.
 */
export const restorePhoto = (db: Db, viewer: Viewer, id: number, photosMax: number) =>
  transact(db, async tx => {
    const photo = await deletedPhotoFor(tx, viewer, id)
    if (!mayRestorePhoto(viewer, photo)) refuse('mayNotRestorePhoto')
    const { event_id: eventId, taken_by: takenBy, attachment_id: attachmentId } = photo
    const isUpload = attachmentId === null
    const sums = (await holdPhoto(tx, { mediaId: photo.media_id })) ?? refuse('noSuchPhoto')
    // Before the standing: for one's own upload, the count takes the stronger lock on the same row.
    if (isUpload) {
      await store.lockUploader(tx, takenBy, eventId)
      const taker = await store.findGallery(tx, takenBy, eventId)
      if (taker && taker.photos_count >= (taker.photos_max ?? photosMax)) refuse('tooManyPhotos')
      await store.addToPhotosCount(tx, takenBy, eventId, 1)
    }
    if (!mayRestorePhoto(viewer, await deletedPhotoToChange(tx, viewer, id))) refuse('mayNotRestorePhoto')
    // Whoever makes a photo of the attachment, or deletes it, locks the chat as well.
    if (!isUpload) await store.lockChatOf(tx, eventId)
    const messageIds = await messagesToTell(tx, eventId, sums)
    if ((await photoOfBytes(tx, eventId, sums)) !== undefined) refuse('alreadyInAlbum')
    const restored = (await deleted.unmarkDeleted(tx, photo)) ?? refuse('noSuchPhoto')
    if (restored.ownMedia) await restoreMedia(tx, photo.media_id)
    await noteDouble(tx, { id, eventId })
    await resumeVideo(tx, id)
    await announce(tx, { kind: 'photo.created', audience: 'event', eventId, actorId: viewer.id, subjectId: id })
    await tellMessages(tx, { eventId, actorId: viewer.id }, messageIds)
  })
