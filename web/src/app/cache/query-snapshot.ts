import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** The channel's cursor up to which all stored data is current. */
export type StoredCursor = { cursor: string | undefined; keptAt: number }

/** The stored result of one query. */
export type StoredQuery = { key: QueryKey; data: unknown; updatedAt: number; stale: boolean; keptAt: number }

const dayMs = 24 * 60 * 60_000
/** Older data is not shown, not even offline. */
const livesMs = 7 * dayMs
/** A link may have been closed since, which no device without a network learns. */
export const livesByLinkMs = dayMs
const queriesMax = 300
/** For a long list, such as 600 photos: rewritten at each change, and read at each start. */
const pagesMax = 10
/**
 * Keep only the newest messages: IndexedDB copies the whole value on every write. For 600 messages that takes a slow
 * phone 11 to 14 ms, for 200 four. (Texts of messages, made once each and joined, take 8 to 10: the browser copies them
 * as well.)
 */
const messagesMax = 200

/** The stored form of a query; undefined for one that never loaded. */
export const seenOf = ({ queryKey, state }: Query): StoredQuery | undefined =>
  state.data === undefined
    ? undefined
    : {
        key: queryKey,
        data: beginningOf(state.data),
        updatedAt: state.dataUpdatedAt,
        stale: state.isInvalidated,
        keptAt: Date.now(),
      }

const beginningOf = (data: unknown): unknown => {
  if (isChat(data)) return data.atEnd ? { ...data, messages: data.messages.slice(-messagesMax) } : data
  if (!isList(data) || data.pages.length <= pagesMax) return data
  return { pages: data.pages.slice(0, pagesMax), pageParams: data.pageParams.slice(0, pagesMax) }
}
const isChat = (data: unknown): data is { messages: unknown[]; atEnd: boolean } =>
  typeof data === 'object' && data !== null && 'messages' in data && 'atEnd' in data
const isList = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data

/** Results worth restoring, newest first. */
export const worthShowing = <Each extends StoredQuery>(all: readonly Each[], forMs = livesMs): Each[] =>
  all
    .filter(({ keptAt }) => Date.now() - keptAt < forMs)
    .sort((one, other) => other.keptAt - one.keptAt)
    .slice(0, queriesMax)

/** Restores it, unless something newer has been loaded meanwhile. */
export const showAgain = (client: QueryClient, { key, data, updatedAt, stale }: StoredQuery) => {
  if ((client.getQueryState(key)?.dataUpdatedAt ?? 0) >= updatedAt) return
  client.setQueryData(key, data, { updatedAt })
  if (stale) client.getQueryCache().find({ queryKey: key })?.invalidate()
}
