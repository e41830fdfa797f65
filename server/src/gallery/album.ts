import { announce } from '../notifications/announce.ts'
import type { Transaction } from '../platform/database/database.ts'
import { noteDouble, photoOfBytes, sumsOf } from './duplicates-store.ts'
import { messagesToTell, tellMessages } from './one-photo.ts'
import * as store from './store.ts'

/* What a chat does with the gallery: its attachments become photos, which continue to share the attachment's media. */

export type AttachedPicture = { eventId: number; mediaId: number; takenBy: number; attachmentId: number; by: number }

/**
 * Makes a photo of a chat attachment and announces it; it counts towards nobody's quota. Returns its ID, or undefined
 * if its bytes are already in the gallery. The caller holds the lock on them, then the chat's, and has proven the right
 * to the attachment.
 */
export const addAttachmentToAlbum = async (tx: Transaction, picture: AttachedPicture): Promise<number | undefined> => {
  const sums = await sumsOf(tx, picture)
  if (!sums || (await photoOfBytes(tx, picture.eventId, sums)) !== undefined) return undefined
  const messageIds = await messagesToTell(tx, picture.eventId, sums)
  const id = await store.insertPhoto(tx, { ...picture, caption: null, altText: null })
  if (id === undefined) return undefined
  const { eventId, by } = picture
  await noteDouble(tx, { id, eventId })
  await announce(tx, { kind: 'photo.created', audience: 'event', eventId, actorId: by, subjectId: id })
  await tellMessages(tx, { eventId, actorId: by }, messageIds)
  return id
}

/**
 * For attachments that this transaction deletes: photos made from them outlive them and own the media from now on.
 * Returns the attachments that have such a photo; the caller removes the media of the others.
 */
export const leaveMediaToPhotos = async (
  tx: Transaction,
  attachmentIds: readonly number[],
): Promise<ReadonlySet<number>> => new Set(await store.ownMedia(tx, attachmentIds))
