import { can } from '@afterglow/contract/capabilities'
import { messageAttachmentsMax } from '@afterglow/contract/limits'
import { sentence } from '@afterglow/contract/words'
import { requireProofForOthers } from '../../accounts/proofs.ts'
import { addedMentions } from '../../events/announcements/mentions.ts'
import { type Audited, audit } from '../../events/audit/audit.ts'
import { leaveMediaToPhotos } from '../../gallery/album.ts'
import { announce } from '../../log/announce.ts'
import { rewriteNotifications, withdrawDeleted, withdrawTagged } from '../../notifications/mark-read.ts'
import { type Database, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import type { Queue } from '../../platform/database/queue.ts'
import { invalid, orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { addPictures, removeMedia, renewMedia } from '../../platform/media/records.ts'
import type { StoredPicture } from '../../platform/media/store-picture.ts'
import { chatFor, chatToSendTo, holdChat, type In, livingMessageFor, mayDelete, mayEdit, moderated } from '../access.ts'
import { readWithChat, tags, tellsOfMessage } from '../notification-templates.ts'
import { chatOf, type FoundMessage, findMessage } from '../store.ts'
import * as store from './change-message-store.ts'
import { demandReplied } from './send-message.ts'

export type Edit = {
  chatId: number
  messageId: number
  content: string
  replyId: number | undefined
  pictures: readonly StoredPicture[]
}

export type Change<Row, Result> = (tx: Transaction, found: Row) => Promise<Result>

/**
 * Every change to a message: it waits in its chat's queue, locks the viewer's membership and then the chat, calls the
 * door once, with the message as the queue left it, and changes it.
 */
export const openChanging =
  (db: Database, queue: Queue) =>
  async <Result>(viewer: Viewer, id: number, change: Change<In<FoundMessage>, Result>): Promise<Result> => {
    const chat = (await chatOf(db, 'messages', id)) ?? refuse('noSuchMessage')
    return queue(chat.id, () =>
      transact(db, async tx => {
        await holdChat(tx, viewer, chat)
        return change(tx, await livingMessageFor(tx, viewer, id))
      }),
    )
  }

export const openChanges = (db: Database, queue: Queue) => {
  const changeMessage = openChanging(db, queue)

  return {
    /**
     * Replaces the text of one's own message and attaches more pictures; what it replies to stays. `once` runs it in
     * the transaction of the request's key, and returns the reply to the request.
     */
    edit: <Answer>(viewer: Viewer, edit: Edit, once: (work: (db: Db) => Promise<void>) => Promise<Answer>) =>
      queue(edit.chatId, () => once(db => transact(db, tx => editIn(tx, viewer, edit)))),

    /**
     * Deletes one's own message or, as an organizer, anybody's; a tombstone keeps its position. Deleting again has no
     * effect.
     */
    delete: (viewer: Viewer, id: number): Promise<void> => {
      const deleted = changeMessage(viewer, id, async (tx, { chat, message }) => {
        if (!mayDelete(viewer, chat, message)) refuse('mayNotDeleteMessage')
        await requireProofForOthers(tx, viewer, message)
        await buryMessage(tx, viewer, chat, id)
        await auditIfOthers(tx, viewer, chat, { act: 'message.deleted', subjectId: id, userId: message.user_id })
        await withdrawMessage(tx, chat.event_id, id, 'deleted')
      })
      return orDone(deleted, ['noSuchMessage'], async () => {
        const found = await findMessage(db, viewer.id, id)
        return found !== undefined && found.message.deleted_at !== null && wasTheirs(viewer, found.chat, found.message)
      })
    },

    /**
     * Hides a message's content from everyone except its author and the organizers, or shows it again; repeating it has
     * no effect. It keeps its position in the chat, and the previous URLs of its pictures are invalidated.
     */
    setHidden: (viewer: Viewer, id: number, hidden: boolean): Promise<void> =>
      changeMessage(viewer, id, async (tx, { chat, message }) => {
        const held = moderated(chat)
        if ((message.hidden_at !== null) === hidden) return
        const { id: chatId, event_id: eventId } = chat
        const mediaIds = await store.setHidden(tx, held, id, hidden)
        if (hidden) await renewMedia(tx, mediaIds)
        const act = hidden ? 'message.hidden' : 'message.unhidden'
        await audit(tx, viewer, { act, eventId, subjectId: id, userId: message.user_id })
        const photoIds = hidden && mediaIds.length > 0 ? await store.photosMadeOf(tx, id) : []
        const about = updated(viewer, chat, id)
        await announce(tx, [
          about,
          { ...about, kind: 'group.updated', subjectId: chatId },
          ...photoIds.map(photoId => ({ ...about, kind: 'photo.updated', subjectId: photoId }) as const),
        ])
        if (hidden) await withdrawMessage(tx, eventId, id, 'hidden')
      }),

    /** Pins a message in place of the previous one, or unpins it; repeating it has no effect. Returns the chat's ID. */
    setPinned: (viewer: Viewer, id: number, pinned: boolean): Promise<number> =>
      changeMessage(viewer, id, async (tx, { chat, message }) => {
        const held = moderated(chat)
        if (message.hidden_at !== null) refuse('noSuchMessage')
        const { id: chatId, event_id: eventId } = chat
        const before = await store.setPinned(tx, held, id, pinned)
        if (before === undefined) return chatId
        const about = updated(viewer, chat, id)
        await announce(tx, { ...about, kind: 'group.updated', subjectId: chatId })
        if (pinned) await announce(tx, { ...about, kind: 'message.pinned', notify: true })
        if (before !== null) await withdrawTagged(tx, eventId, [tags.pin(before)], 'takenBack')
        return chatId
      }),
  }
}

export type Changes = ReturnType<typeof openChanges>

/** The viewer was allowed to delete this message, which is already deleted. */
export const wasTheirs = (viewer: Viewer, chat: FoundMessage['chat'], written: { user_id: number }) =>
  can(chat.standing, 'read') && mayDelete(viewer, chat, written)

/** No notification about a message outlives it. */
const withdrawMessage = async (tx: Transaction, eventId: number, id: number, fate: 'deleted' | 'hidden') => {
  const gone = { of: 'message', fate } as const
  await withdrawDeleted(tx, { eventId, kinds: tellsOfMessage, subjectIds: [id], gone })
  await withdrawTagged(tx, eventId, tags.ofMessage(id), fate)
}

const editIn = async (tx: Transaction, viewer: Viewer, edit: Edit): Promise<void> => {
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
  await rewriteNotifications(tx, {
    eventId: chat.event_id,
    kinds: readWithChat,
    subjectId: edit.messageId,
    text: edit.content,
  })
  const mentions = addedMentions(before, edit.content)
  await announce(tx, [
    { ...updated(viewer, chat, edit.messageId), ...(mentions && { detail: { mentions }, notify: true }) },
    ...(await ofItsChat(tx, viewer, chat, edit.messageId)),
  ])
}

/** The chat shows its pinned message, including its current text. */
export const ofItsChat = async (
  tx: Transaction,
  viewer: Viewer,
  chat: { id: number; event_id: number },
  messageId: number,
) =>
  (await store.pinnedOf(tx, [messageId])).has(messageId)
    ? [{ ...updated(viewer, chat, messageId), kind: 'group.updated', subjectId: chat.id } as const]
    : []

/** Logs deletions of others' content by organizers. */
export const auditIfOthers = async (
  tx: Transaction,
  viewer: Viewer,
  chat: { event_id: number },
  done: Omit<Audited, 'eventId'>,
) => {
  if (done.userId !== viewer.id) await audit(tx, viewer, { ...done, eventId: chat.event_id })
}

export const updated = (viewer: Pick<Viewer, 'id'>, chat: { event_id: number }, messageId: number) =>
  ({
    kind: 'message.updated',
    audience: 'event',
    eventId: chat.event_id,
    actorId: viewer.id,
    subjectId: messageId,
  }) as const

/** Leaves a tombstone for a message in a locked chat, and announces it; does nothing if it is one already. */
export const buryMessage = async (
  tx: Transaction,
  by: Pick<Viewer, 'id'>,
  chat: { id: number; event_id: number },
  id: number,
) => {
  if (!(await store.buryMessage(tx, chat.id, id))) return
  await letMediaGo(tx, await store.removeAttachments(tx, chat.id, id))
  const about = updated(by, chat, id)
  await announce(tx, [
    { ...about, kind: 'message.deleted' },
    // The unread counts, and which message is the latest now, cannot be derived from the message alone.
    { ...about, kind: 'group.updated', subjectId: chat.id },
  ])
}

/** A photo made from an attachment keeps the picture; the others' pictures are removed. */
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
