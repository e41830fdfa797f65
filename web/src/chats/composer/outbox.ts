import { AfterglowError, isLasting } from '@afterglow/sdk/methods'
import { openOutbox } from '@afterglow/sdk/outbox'
import { applyChanges } from '../../app/cache/change.ts'
import { queryClient } from '../../app/cache/query.ts'
import { api } from '../../app/net/client.ts'
import { online } from '../../app/net/network.ts'
import { session } from '../../app/session.ts'
import { asItsAuthor, storedIn } from '../../app/storage/stored-outbox.ts'
import { reasonOf } from '../../ui/failure.ts'
import { shownWindow } from '../history/history-query.ts'
import { loadMore } from '../history/load-more.ts'
import { lacksNewest, type Message, sequenceOf } from '../history/window.ts'
import { chatKey } from '../keys.ts'
import type { Chat } from '../queries.ts'
import { onChatEvent } from '../reducer.ts'
import { isFilm, oneArrived, type PendingMessage, waiting } from './pending-messages.ts'

const send = async (message: PendingMessage): Promise<void> => {
  const { chatId, content, replyTo, pictures, key, userId } = message
  message.sentAfter ??= queryClient.getQueryData<Chat>(chatKey(chatId))?.extra.last_sequence ?? 0
  const input = { group_chat_id: chatId, message_content: content, ...(replyTo && { message_reply_id: replyTo.id }) }
  const attachments = pictures.map((picture, at) => new File([picture], `picture-${at + 1}`, { type: picture.type }))
  const film = pictures.find(isFilm)
  try {
    const fields = { ...input, ...(attachments.length > 0 && { attachments }) }
    const sent = await asItsAuthor<Message>(userId, async () =>
      film
        ? (await import('./send-film.ts')).sendFilm(message, film)
        : api.chats.saveMessage(fields, { idempotencyKey: key }),
    )
    applyChanges(queryClient, onChatEvent({ kind: 'message.created', payload: sent }, sent.user.id))
    oneArrived.set(true)
    await shownAtItsPlace(chatId, sent)
  } catch (error) {
    // The message it replies to was deleted meanwhile: its own text arrives.
    if (replyTo && error instanceof AfterglowError && error.fields.message_reply_id) {
      delete message.replyTo
      return send(message)
    }
    if (isLasting(error)) delete message.sentAfter
    throw error
  }
}

/** Others' latest messages are shown before it; until they are here, it stays in place. */
const shownAtItsPlace = async (chatId: number, message: Message) => {
  const shown = shownWindow(queryClient, chatId)
  if (shown && lacksNewest(shown, sequenceOf(message))) await loadMore('loadNewer', queryClient, chatId)
}

const { storage, alone, follow } = storedIn<PendingMessage>('outbox')
const outbox = openOutbox<PendingMessage>({ send, storage, alone, onChange: waiting.set, wordsOf: reasonOf })
export const { sendAgain, discard } = outbox

/** Queues a message, which will be sent from now on, whatever happens to this page. */
export const post = async (message: Pick<PendingMessage, 'chatId' | 'content' | 'pictures' | 'replyTo'>) => {
  const userId = session.get()?.userId
  if (userId !== undefined) await outbox.post({ ...message, userId })
}

/** Reads pending messages of an earlier page, shows them and sends them. */
export const loadMessages = () => outbox.load()

/** Returns a function to stop. */
export const sendWaiting = () => {
  void loadMessages()
  const stops = [follow(() => void loadMessages()), online.follow(reachable => reachable && outbox.wake())]
  return () => {
    for (const stop of stops) stop()
    outbox.close()
  }
}
