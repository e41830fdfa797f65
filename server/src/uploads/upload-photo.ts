import { addPhoto, holdUpload, type NewPhoto } from '../gallery/photos.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { markUsed, placesHeldBy, reservedBytes } from './sessions-store.ts'
import { idsOf, type NamedSessions, photoMadeOf } from './upload-sessions.ts'

export type Upload = Omit<NewPhoto, 'held'> & {
  /** The resumable uploads of its files. */
  sessions: NamedSessions
}

/**
 * Makes a photo of the upload, and uses up its sessions. Returns the photo's ID, and whether it already existed with
 * the same bytes; a concurrent request with the same sessions may also have created it.
 */
export const uploadPhoto = async (
  tx: Transaction,
  viewer: Viewer,
  { sessions, ...upload }: Upload,
  photosMax: number,
): Promise<{ id: number; wasThere: boolean }> => {
  const { eventId } = upload
  const ids = idsOf(sessions)
  await holdUpload(tx, viewer, upload)
  const twins = await photoMadeOf(tx, viewer, eventId, sessions, true)
  if (twins !== undefined) return { id: twins, wasThere: false }
  const held = {
    places: placesHeldBy(viewer.id, eventId, { but: ids }),
    bytes: await reservedBytes(tx, ids),
  }
  const photo = await addPhoto(tx, viewer, { ...upload, held }, photosMax)
  if (ids.length > 0) await markUsed(tx, ids, photo.id)
  return photo
}
