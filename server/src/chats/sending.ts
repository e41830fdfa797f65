import { sentence } from '@afterglow/contract/words'
import { announce } from '../notifications/announcing.ts'
import type { Db } from '../platform/database.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addPictures, type KeptPicture } from '../platform/media/records.ts'
import { chatFor, holdChat, isOpen } from './access.ts'
import type { InTurn } from './turns.ts'
import * as store from './writing-store.ts'

export type NewMessage = {
  chatId: number
  content: string
  replyId: number | undefined
  pictures: readonly KeptPicture[]
}

/** A chat that takes messages from the viewer. Refuses noSuchChat, notInEvent, notOpen. */
export const chatToSendTo = async (db: Db, viewer: Viewer, id: number) => {
  const chat = await chatFor(db, viewer, id)
  return isOpen(chat) ? chat : refuse('notOpen')
}

/** Sends a message with its pictures; returns its id. Without pictures sendShared does the same at a fraction. */
export const sendMessage = (inTurn: InTurn, db: Db, viewer: Viewer, message: NewMessage): Promise<number> =>
  inTurn(db, message.chatId, async tx => {
    const chat = await chatFor(tx, viewer, message.chatId)
    const mediaIds = await addPictures(tx, message.pictures, { eventId: chat.event_id, ownerId: viewer.id })
    await holdChat(tx, viewer, chat)
    await demandReplied(tx, chat.id, message.replyId)
    await chatToSendTo(tx, viewer, chat.id)
    const id = await store.insertMessage(tx, { ...message, userId: viewer.id })
    await store.insertAttachments(tx, { chatId: chat.id, messageId: id, userId: viewer.id }, mediaIds)
    const sent = { audience: 'event', eventId: chat.event_id, actorId: viewer.id, subjectId: id } as const
    await announce(tx, { kind: 'message.created', ...sent, notify: true })
    return id
  })

/** Throws the validation error for a reply to what does not stand in this chat. */
export const demandReplied = async (tx: Parameters<typeof store.stands>[0], chatId: number, id: number | undefined) => {
  if (id !== undefined && !(await store.stands(tx, chatId, id))) invalid('message_reply_id', sentence.selected)
}
