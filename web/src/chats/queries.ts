import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { type Listed, paged, rowsOf } from '../app/cache/pages.ts'
import { useSettled } from '../app/idle.ts'
import { api } from '../app/net/client.ts'
import { chatKey, chatsKey } from './keys.ts'

export type Chat = Awaited<ReturnType<typeof api.chats.readChat>>
export type Attachment = Awaited<ReturnType<typeof api.chats.listAttachments>>['data'][number]

export const chatsQuery = infiniteQueryOptions({
  ...paged,
  queryKey: chatsKey,
  queryFn: ({ pageParam, signal }) => api.chats.listChats({ page: pageParam, page_length: 50 }, { signal }),
})

export const chatQuery = (group_chat_id: number) =>
  queryOptions({
    queryKey: chatKey(group_chat_id),
    queryFn: ({ signal }) => api.chats.readChat({ group_chat_id }, { signal }),
  })

/** The sequence of the first unread message. A new member has not missed messages from before they joined. */
export const unreadFrom = ({ extra }: Chat) =>
  extra.unread_count ? (extra.seen_sequence || extra.last_sequence - extra.unread_count) + 1 : undefined

const chatsIn = (listed: Listed<Chat>) => rowsOf(listed, chat => chat.id)

/** The viewer's chats, one for each event they are in; undefined until they are known. */
export const useChats = (now = false) =>
  useInfiniteQuery({ ...chatsQuery, enabled: useSettled() || now, select: chatsIn }).data

/** The number of unread messages in the chats that are not muted, or in that of one event. */
export const unreadIn = (chats: readonly Chat[] = [], eventId?: number): number =>
  chats
    .filter(chat => !chat.extra.muted && (eventId === undefined || chat.event_id === eventId))
    .reduce((sum, chat) => sum + chat.extra.unread_count, 0)
