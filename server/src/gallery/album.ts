import type { Standing } from '@afterglow/contract/capabilities'
import { announce } from '../log/announce.ts'
import type { Transaction } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import { mayHide } from './access.ts'
import { noteDouble, photoOfBytes, sumsOf, takenDown } from './duplicates/duplicates-store.ts'
import { announceMessages, messagesToAnnounce } from './duplicates/one-photo.ts'
import * as store from './store.ts'

/* How chats use the gallery: their attachments become photos, which continue to share the attachment's media. */

export type AttachedPicture = {
  eventId: number
  mediaId: number
  takenBy: number
  attachmentId: number
  by: { id: number; standing: Standing }
}

/**
 * Makes a photo of a chat attachment and announces it; it counts towards nobody's quota. Returns its ID. The caller
 * holds the lock on its bytes, then the chat's, and has proven the right to the attachment. Refuses alreadyInAlbum, and
 * what an organizer took down: by name only to those whose picture it is.
 */
export const addAttachmentToAlbum = async (tx: Transaction, picture: AttachedPicture): Promise<number> => {
  const { eventId, takenBy, by: viewer } = picture
  const by = viewer.id
  const sums = (await sumsOf(tx, picture)) ?? refuse('alreadyInAlbum')
  if ((await photoOfBytes(tx, eventId, sums, viewer)) !== undefined) refuse('alreadyInAlbum')
  const down = mayHide(viewer.standing) ? undefined : await takenDown(tx, eventId, sums, { viewerId: by })
  if (down) refuse(down.mine || takenBy === by ? 'takenDown' : 'mayNotAdd')
  const messageIds = await messagesToAnnounce(tx, eventId, sums)
  const id = (await store.insertPhoto(tx, { ...picture, by, caption: null, altText: null })) ?? refuse('alreadyInAlbum')
  if (sums.videoSha256 === undefined) await noteDouble(tx, { id, eventId })
  await announce(tx, { kind: 'photo.created', audience: 'event', eventId, actorId: by, subjectId: id })
  await announceMessages(tx, { eventId, actorId: by }, messageIds)
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
