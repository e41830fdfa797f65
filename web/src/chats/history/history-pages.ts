import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { chatKey, windowKey } from '../keys.ts'
import type { Chat } from '../queries.ts'
import { pageLength, shownWindow } from './history-query.ts'
import { firstOf, lacksNewest, lastOf, sequenceOf, type Window, windowOf } from './window.ts'
import { withNewer, withOlder } from './window-changes.ts'

/* Loads further pages for scrolling and jumps. */

/**
 * Messages announced while a page is loading do not join a window short of its end: the page alone is not the end then.
 */
const toldOf = (client: QueryClient, chatId: number) =>
  client.getQueryData<Chat>(chatKey(chatId))?.extra.last_sequence ?? 0

const show = (client: QueryClient, chatId: number, change: (window: Window) => Window) =>
  client.setQueryData<Window>(windowKey(chatId), window => window && change(window))

/** Shows the newest messages again, from wherever the reader was. */
export const loadLatest = async (client: QueryClient, group_chat_id: number) => {
  const { data } = await api.chats.listMessages({ group_chat_id, page: 1, page_length: pageLength })
  const latest = windowOf(data, true)
  client.setQueryData(windowKey(group_chat_id), { ...latest, atEnd: lastOf(latest) >= toldOf(client, group_chat_id) })
}

const loadOlder = async (client: QueryClient, group_chat_id: number) => {
  const oldest = shownWindow(client, group_chat_id)?.messages[0]
  if (!oldest || sequenceOf(oldest) <= 1) return
  const input = { group_chat_id, message_id: oldest.id, page: 1, page_length: pageLength }
  const { data } = await api.chats.listMessages(input)
  show(client, group_chat_id, window => (firstOf(window) === sequenceOf(oldest) ? withOlder(window, data) : window))
}

/** Pages count from the newest message, so the one after ours is found by how many there are. */
const loadNewer = async (client: QueryClient, group_chat_id: number) => {
  let last = toldOf(client, group_chat_id)
  for (let tries = 0; tries < 3; tries++) {
    const window = shownWindow(client, group_chat_id)
    if (!window) return
    if (window.atEnd && !lacksNewest(window, last)) return
    const end = lastOf(window)
    const page = Math.floor(Math.max(0, last - end - 1) / pageLength) + 1
    const { data } = await api.chats.listMessages({ group_chat_id, page, page_length: pageLength })
    const newest = data[0]
    // More may have been written than we knew of: then this page lies further up, and the next try finds ours.
    last = Math.max(newest ? sequenceOf(newest) + (page - 1) * pageLength : 0, toldOf(client, group_chat_id))
    show(client, group_chat_id, now => withNewer(now, data, last))
    if (page === 1 || lastOf(shownWindow(client, group_chat_id) ?? window) > end) return
  }
}

/** Shows the messages around one, anywhere in the history. Throws if it no longer exists. */
export const loadAround = async (client: QueryClient, group_chat_id: number, message_id: number) => {
  const input = { group_chat_id, message_id, page: 1, page_length: pageLength / 2 }
  const { data } = await api.chats.listMessages(input)
  client.setQueryData(windowKey(group_chat_id), windowOf(data, false))
  await loadNewer(client, group_chat_id)
}

const pages = { loadOlder, loadNewer }

/** One request at a time, however often it is triggered; failed ones are retried like every query. */
export const loadOnce = (which: keyof typeof pages, client: QueryClient, chatId: number) =>
  client.fetchQuery({
    queryKey: [which, chatId],
    queryFn: () => pages[which](client, chatId).then(() => null),
    staleTime: 0,
    gcTime: 0,
  })
