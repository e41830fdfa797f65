import { sentence } from '@afterglow/contract/words'
import { soonAnnounced } from '../../log/announce.ts'
import { batched } from '../../platform/database/batch.ts'
import { type Database, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import type { Queue } from '../../platform/database/queue.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { addPictures } from '../../platform/media/records.ts'
import type { StoredPicture } from '../../platform/media/store-picture.ts'

import { addFilm, type Film } from '../../uploads/chat-films.ts'
import { chatFor, chatToSendTo, holdChat } from '../access.ts'
import type { Hanging } from '../cards.ts'

import * as store from './change-message-store.ts'
import { findSent, type Outgoing, type Repeat, type Sent, sendMessages } from './send-message-store.ts'

/** A message's pictures, or its film. */
type Attached = { pictures: readonly StoredPicture[] } | { film: Film }
export type NewMessage = Omit<Outgoing, 'userId' | 'mediaIds'> & Attached
export type Send = ReturnType<typeof openSending>

/** Rolls back everything written for a message that was refused. */
class NotSent extends Error {
  readonly repeat: Repeat | undefined
  constructor(repeat: Repeat | undefined) {
    super('not sent')
    this.repeat = repeat
  }
}

const tries = 4
/** The same key was in use by another transaction, which has committed. */
const wasTaken = (error: unknown) => (error as { constraint?: string }).constraint === 'messages_client_key'

/**
 * Simultaneous messages are sent together; one with pictures or a film, in the transaction that writes these. A message
 * that is not allowed is refused by name. Under a key that was used before, nothing is sent.
 */
export const openSending = (db: Database, queue: Queue) => {
  const sendTogether = batched((all: readonly Outgoing[]) => sendMessages(db, all), {
    most: 128,
    apart: ({ chatId }) => chatId,
    after: ({ userId, key }) => key && `${userId} ${key.key.toString('latin1')}`,
  })

  const sendAttached = (viewer: Viewer, message: NewMessage) =>
    queue(message.chatId, () =>
      transact(db, async tx => {
        const { event_id: eventId } = await chatToSendTo(tx, viewer, message.chatId)
        const about = { eventId, ownerId: viewer.id }
        const mediaIds =
          'film' in message ? [await addFilm(tx, message.film, about)] : await addPictures(tx, message.pictures, about)
        const [outcome] = await sendMessages(tx, [{ ...message, userId: viewer.id, mediaIds }])
        return outcome && 'message' in outcome ? outcome : Promise.reject(new NotSent(outcome))
      }),
    )

  const send = async (viewer: Viewer, message: NewMessage) => {
    try {
      return await ('film' in message || message.pictures.length > 0
        ? sendAttached(viewer, message)
        : soonAnnounced(sendTogether({ ...message, userId: viewer.id, mediaIds: [] })))
    } catch (error) {
      if (error instanceof NotSent) return error.repeat
      if (wasTaken(error) && message.key) return findSent(db, viewer.id, message.key)
      throw error
    }
  }

  return async (viewer: Viewer, message: NewMessage): Promise<Sent | Repeat> => {
    for (let attempt = 1; attempt <= tries; attempt++) {
      const outcome = await send(viewer, message)
      if (outcome) return outcome
      const chat = await chatToSendTo(db, viewer, message.chatId)
      await demandReplied(db, chat.id, message.replyId)
      // The message has become allowed meanwhile.
    }
    throw new Error('A message was neither sent nor refused.')
  }
}

/**
 * Sends a message with a card of this kind, in the transaction that writes the card. The card's fallback follows the
 * text for clients that do not know it. Returns its ID. Refuses noSuchChat, notInEvent, notOpen.
 */
export const sendWithCard = async <Hung>(
  tx: Transaction,
  viewer: Viewer,
  { chatId, content }: Pick<Outgoing, 'chatId' | 'content'>,
  { kind, card, hung }: Hanging<Hung>,
): Promise<number> => {
  await holdChat(tx, viewer, await chatFor(tx, viewer, chatId))
  await chatToSendTo(tx, viewer, chatId)
  const rest = { userId: viewer.id, replyId: undefined, key: undefined, mediaIds: [] }
  const whole = content + card.fallback(hung)
  const [sent] = await sendMessages(tx, [{ chatId, content: whole, ...rest, card: kind }])
  return (sent as Sent).message.id
}

/** Throws the validation error for a reply to something that does not exist in this chat. */
export const demandReplied = async (db: Db, chatId: number, id: number | undefined) => {
  if (id !== undefined && !(await store.stands(db, chatId, id))) invalid('message_reply_id', sentence.selected)
}
