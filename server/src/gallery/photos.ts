import { type Db, type Transaction, transact } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addMedia, type KeptPicture, removeMedia } from '../platform/media/records.ts'
import { galleryToUploadTo, mayDeletePhoto, mayDescribePhoto, photoFor, photoToChange } from './access.ts'
import * as store from './store.ts'

export type Upload = { eventId: number; picture: KeptPicture; caption: string | null; altText: string | null }

/**
 * Puts an uploaded picture into a gallery. Its files are on disk before; when this refuses, the storage's sweeper takes
 * them after its grace. Returns the photo's id.
 */
export const uploadPhoto = async (tx: Transaction, viewer: Viewer, upload: Upload, photosMax: number) => {
  const { eventId, picture, caption, altText } = upload
  await store.lockUploader(tx, viewer.id, eventId)
  await galleryToUploadTo(tx, viewer, eventId, photosMax)
  await store.addToPhotosCount(tx, viewer.id, eventId, 1)
  const mediaId = await addMedia(tx, picture, { eventId, ownerId: viewer.id })
  const photo = { eventId, mediaId, takenBy: viewer.id, attachmentId: null, caption, altText }
  // Only an attachment can be in the gallery before.
  return (await store.insertPhoto(tx, photo)) as number
}

/** Undefined leaves a text as it is, null takes it away. */
export const describePhoto = (
  db: Db,
  viewer: Viewer,
  id: number,
  texts: { caption?: string | null | undefined; altText?: string | null | undefined },
) =>
  transact(db, async tx => {
    if (!mayDescribePhoto(viewer, await photoToChange(tx, viewer, id))) refuse('notUploader')
    if (!(await store.updateTexts(tx, id, texts))) refuse('noSuchPhoto')
  })

/** Likes a photo or takes the like back; doing it again changes nothing. */
export const setLiked = (db: Db, viewer: Viewer, id: number, liked: boolean) =>
  transact(db, async tx => {
    await photoToChange(tx, viewer, id)
    if (!(await store.setLiked(tx, viewer.id, id, liked))) refuse('noSuchPhoto')
  })

/** Takes a photo out of the gallery. An upload's place in the quota is free again; an attachment can be added again. */
export const deletePhoto = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const photo = await photoFor(tx, viewer, id)
    if (!mayDeletePhoto(viewer, photo)) refuse('mayNotDeletePhoto')
    const { event_id: eventId, taken_by: takenBy } = photo
    const isUpload = photo.attachment_id === null
    // Before the standing: on one's own upload the count takes the stronger lock of the same row.
    if (isUpload) await store.addToPhotosCount(tx, takenBy, eventId, -1)
    if (!mayDeletePhoto(viewer, await photoToChange(tx, viewer, id))) refuse('mayNotDeletePhoto')
    if (!isUpload) await store.raiseChatVersion(tx, eventId)
    const deleted = (await store.markDeleted(tx, photo)) ?? refuse('noSuchPhoto')
    if (deleted.ownMedia) await removeMedia(tx, [photo.media_id])
  })
