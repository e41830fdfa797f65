import { type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { windowKey } from '../keys.ts'
import { chatQuery, unreadFrom } from '../queries.ts'
import { type Message, sequenceOf, type Window, windowOf } from './window.ts'

export const pageLength = 50
const pageLengthMax = 100

export const windowQuery = (chatId: number) =>
  queryOptions({
    queryKey: windowKey(chatId),
    queryFn: ({ client, signal }) => loadWindow(client, chatId, signal),
    // The channel keeps it current; reloading would take a reader away from their place.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: (before, now) => sharing(before as Window | undefined, now as Window),
  })

/**
 * Unchanged messages stay the same objects, matched by their ids: the default, matching by index, would renew all when
 * older ones are prepended.
 */
const sharing = (before: Window | undefined, now: Window): Window => {
  if (before === now) return now
  const known = new Map(before?.messages.map(message => [message.id, message]))
  return { ...now, messages: now.messages.map(message => replaceEqualDeep(known.get(message.id), message)) }
}

/**
 * Loads the newest messages at first, or those around the first unread one; later the stretch that is shown, so that
 * its reader stays in place.
 */
export const loadWindow = async (client: QueryClient, group_chat_id: number, signal: AbortSignal): Promise<Window> => {
  const before = shownWindow(client, group_chat_id)
  const length = Math.max(before?.messages.length ?? 0, pageLength)
  const anchor = before && !before.atEnd ? before.messages.at(-1)?.id : undefined
  const page_length = Math.min(length, pageLengthMax)
  const messages: Message[] = []
  for (let page = 1; messages.length < length; page++) {
    const input = { group_chat_id, page, page_length, ...(anchor && { message_id: anchor }) }
    const { data, next_page_url } = await api.chats.listMessages(input, { signal })
    messages.push(...data.filter(({ id }) => messages.every(each => each.id !== id)))
    if (next_page_url === null) break
  }
  const from = before ? undefined : unreadFrom(await client.ensureQueryData(chatQuery(group_chat_id)))
  const rows = messages.length
  const page = from && rows ? Math.ceil((sequenceOf(messages[0] as Message) - from + 1) / page_length) : 1
  if (page === 1 || rows < page_length) return windowOf(messages, !anchor)
  return windowOf((await api.chats.listMessages({ group_chat_id, page, page_length }, { signal })).data, false)
}

export const shownWindow = (client: QueryClient, chatId: number) => client.getQueryData<Window>(windowKey(chatId))
