import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { applyChanges, become } from '../../app/cache/change.ts'
import { eachRow, type Listed } from '../../app/cache/pages.ts'
import { api } from '../../app/net/client.ts'
import { chatKey, chatsKey } from '../keys.ts'
import type { Chat } from '../queries.ts'
import { withSeen } from '../reducer.ts'
import { type Message, sequenceOf } from './window.ts'

/** Marks everything down to a message as seen, and shows it so. */
export const markSeen = async (client: QueryClient, chatId: number, message: Message) => {
  const seen = (each: Chat) => (each.id === chatId ? withSeen(each, sequenceOf(message)) : each)
  applyChanges(client, [
    become<Chat>(chatKey(chatId), seen),
    become<Listed<Chat>>(chatsKey, listed => eachRow(listed, seen)),
  ])
  // group.updated says how many messages remain unread after a mark that stops short.
  const mutationFn = () => api.chats.markSeen({ message_id: message.id })
  // Read without a network: the mark is sent once there is one, or the chat would stay unread everywhere else.
  await new MutationObserver(client, { mutationFn, networkMode: 'online', retry: 3 }).mutate()
}
