import { messageAttachmentsMax } from '@afterglow/contract/limits'
import { sentence } from '@afterglow/contract/words'
import { type Audited, audit } from '../events/auditing.ts'
import { addedMentions } from '../events/mentions.ts'
import { addAttachmentToAlbum, leaveMediaToPhotos } from '../gallery/album.ts'
import { announce } from '../notifications/announcing.ts'
import { retell, withdrawDeleted, withdrawTagged } from '../notifications/reading.ts'
import type { Db, Transaction } from '../platform/database.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addPictures, type KeptPicture, removeMedia } from '../platform/media/records.ts'
import { attachmentFor, chatFor, holdChat, livingMessageFor, mayAddToAlbum, mayDelete, mayEdit } from './access.ts'
import { readWithChat, tags, tellsOfMessage } from './noticing.ts'
import { chatToSendTo, demandReplied } from './sending.ts'
import { findMessage } from './store.ts'
import type { InTurn } from './turns.ts'
import * as store from './writing-store.ts'

export type Edit = {
  chatId: number
  messageId: number
  content: string
  replyId: number | undefined
  pictures: readonly KeptPicture[]
}

/** Replaces the text of one's own message and hangs more pictures on it; what it replies to stays. */
export const editMessage = (inTurn: InTurn, db: Db, viewer: Viewer, edit: Edit): Promise<void> =>
  inTurn(db, edit.chatId, async tx => {
    const chat = await chatFor(tx, viewer, edit.chatId)
    const mediaIds = await addPictures(tx, edit.pictures, { eventId: chat.event_id, ownerId: viewer.id })
    await holdChat(tx, viewer, chat)
    const found = await findMessage(tx, viewer.id, edit.messageId)
    if (!found || found.chat.id !== chat.id || !mayEdit(viewer, found.message)) invalid('message_id', sentence.selected)
    else if (found.message.attachments_count + mediaIds.length > messageAttachmentsMax)
      invalid('attachments', sentence.countAtMost(messageAttachmentsMax))
    await demandReplied(tx, chat.id, edit.replyId)
    await chatToSendTo(tx, viewer, chat.id)
    const before = await store.updateContent(tx, edit.messageId, edit.content)
    await store.insertAttachments(tx, { chatId: chat.id, messageId: edit.messageId, userId: viewer.id }, mediaIds)
    await retell(tx, { kinds: readWithChat, subjectId: edit.messageId, text: edit.content })
    const mentions = addedMentions(before, edit.content)
    await announce(tx, {
      ...updated(viewer, chat, edit.messageId),
      ...(mentions && { detail: { mentions }, notify: true }),
    })
  })

/** Takes back what one's own message, or as organizer anybody's, said; a tombstone keeps its place. */
export const deleteMessage = async (inTurn: InTurn, db: Db, viewer: Viewer, id: number): Promise<void> => {
  const { chat } = await livingMessageFor(db, viewer, id)
  await inTurn(db, chat.id, async tx => {
    await holdChat(tx, viewer, chat)
    const found = await livingMessageFor(tx, viewer, id)
    if (!mayDelete(viewer, found.chat, found.message)) refuse('mayNotDeleteMessage')
    await letMediaGo(tx, await store.removeAttachments(tx, chat.id, id))
    await store.buryMessage(tx, id, chat.id)
    await auditIfOthers(tx, viewer, chat, { act: 'message.deleted', subjectId: id, userId: found.message.user_id })
    await announce(tx, [
      { ...updated(viewer, chat, id), kind: 'message.deleted' },
      // What it leaves unread, and which message is the latest now, nobody can tell from the message alone.
      { ...updated(viewer, chat, id), kind: 'group.updated', subjectId: chat.id },
    ])
    await withdrawDeleted(tx, { kinds: tellsOfMessage, subjectIds: [id], instead: 'The message was deleted.' })
    await withdrawTagged(tx, chat.event_id, [tags.reactions(id)])
  })
}

export const deleteAttachment = async (inTurn: InTurn, db: Db, viewer: Viewer, id: number): Promise<void> => {
  const { chat } = await attachmentFor(db, viewer, id)
  await inTurn(db, chat.id, async tx => {
    await holdChat(tx, viewer, chat)
    const found = await attachmentFor(tx, viewer, id)
    if (!mayDelete(viewer, found.chat, found.attachment)) refuse('mayNotDeleteAttachment')
    await letMediaGo(tx, await store.removeAttachments(tx, chat.id, found.attachment.message_id, id))
    await store.uncountAttachment(tx, found.attachment.message_id)
    const { user_id: userId } = found.attachment
    await auditIfOthers(tx, viewer, chat, { act: 'attachment.deleted', subjectId: id, userId })
    await announce(tx, updated(viewer, chat, found.attachment.message_id))
  })
}

/** What organizers take away that others wrote. */
const auditIfOthers = async (
  tx: Transaction,
  viewer: Viewer,
  chat: { event_id: number },
  done: Omit<Audited, 'eventId'>,
) => {
  if (done.userId !== viewer.id) await audit(tx, viewer, { ...done, eventId: chat.event_id })
}

const updated = (viewer: Viewer, chat: { event_id: number }, messageId: number) =>
  ({
    kind: 'message.updated',
    audience: 'event',
    eventId: chat.event_id,
    actorId: viewer.id,
    subjectId: messageId,
  }) as const

/** A photo made of an attachment keeps the picture; the pictures of the others are gone. */
export const letMediaGo = async (tx: Transaction, removed: readonly { id: number; media_id: number }[]) => {
  if (removed.length === 0) return
  const inAlbum = await leaveMediaToPhotos(
    tx,
    removed.map(({ id }) => id),
  )
  await removeMedia(
    tx,
    removed.filter(({ id }) => !inAlbum.has(id)).map(({ media_id }) => media_id),
  )
}

/** Makes a photo of an attachment, taken by who sent it; of two at once the second is told. `show` makes the reply. */
export const addToAlbum = async <Photo>(
  inTurn: InTurn,
  db: Db,
  viewer: Viewer,
  id: number,
  show: (tx: Transaction, photoId: number) => Promise<Photo>,
): Promise<Photo> => {
  const { chat } = await attachmentFor(db, viewer, id, 'mayNotAdd')
  return inTurn(db, chat.id, async tx => {
    await holdChat(tx, viewer, chat, 'mayNotAdd')
    const found = await attachmentFor(tx, viewer, id, 'mayNotAdd')
    const { media_id: mediaId, user_id: takenBy } = found.attachment
    if (!mayAddToAlbum(viewer, found.chat, found.attachment)) refuse('mayNotAdd')
    const photo = { eventId: chat.event_id, mediaId, takenBy, attachmentId: id, by: viewer.id }
    const photoId = (await addAttachmentToAlbum(tx, photo)) ?? refuse('alreadyInAlbum')
    await announce(tx, updated(viewer, chat, found.attachment.message_id))
    return show(tx, photoId)
  })
}
