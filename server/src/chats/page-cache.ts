import { seensShownMax } from '@afterglow/contract/limits'
import { LRUCache } from 'lru-cache'
import { batched } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import { bytesOf, type JsonBytes, piecesOf } from '../platform/http/json-bytes.ts'
import type { WriteItems } from '../platform/http/pages.ts'
import type { Urls } from '../platform/http/urls.ts'
import { atMost } from '../platform/process/bounded-cache.ts'
import type { ListedChat, Reading } from './chat-list-store.ts'
import { type MessageRow, parseGroup, reactionsOf, readSpans, type Span } from './messages-store.ts'
import {
  asSeenBy,
  type Beside,
  presentChatAlone,
  presentChatExtra,
  presentMessageExtra,
  type Showing,
  type WrittenPerson,
  writeMessage,
  writePerson,
} from './present.ts'
import type { SeenMark } from './seen-marks-store.ts'
import { latestOf } from './show-message.ts'
import type { ChatRow } from './store.ts'

/*
 * The newest messages of busy chats as JSON, and who has read how far. Every request asks the database who the viewer
 * is and what state the chat is in (ChatRow); cached content is only used while the chat is in the state in which it
 * was read, and is never older than that, because the state is read first. A new message does not invalidate the
 * others, and a seen mark invalidates none. Messages are cached on their second read, as most are read once.
 */

const bytesMax = 40 * 1024 * 1024
const messagesMax = 200
/** Two to eight times what the cache holds: a chat that is read again later would not have stayed either. */
const rememberedMax = 1_000

type PageMessage = {
  /** As an item of a list, preceded by a comma, up to its `seens`: a part of those that were read with it. */
  json?: Buffer
  from: number
  to: number
  /** Beside its JSON, with its text only if the message does not look the same to everybody. */
  row: MessageRow
}
/** Each mark's owner is a piece. */
type Seens = ReturnType<typeof piecesOf> & { state: string; from: number; marks: readonly SeenMark[] }
type Kept = {
  state: string
  /** By sequence, and everybody whom they name. */
  messages: Map<number, PageMessage>
  persons: Map<number, WrittenPerson>
  seens?: Seens
  /** The latest message with everybody who has seen it, as a field of its chat. */
  latest?: { state: string; json: Buffer }
}

/** The approximate size, besides its text, of a Buffer with its memory, a message, a picture, a person and a mark. */
const overhead = { buffer: 400, message: 700, picture: 500, person: 150, mark: 80 }
const sizeOf = ({ messages, persons, seens, latest }: Kept) => {
  let bytes = 1000 + (seens?.marks.length ?? 0) * overhead.mark
  for (const { from, to, row } of messages.values())
    bytes += (to - from) * (differs(row) ? 3 : 1) + overhead.message + row.attachments.length * overhead.picture
  for (const { user, seen } of persons.values()) bytes += overhead.person + 2 * (user.length + seen.length)
  for (const json of [seens?.json, latest?.json]) if (json) bytes += json.length + overhead.buffer
  return bytes
}

type AnyChat = Pick<ChatRow, 'id' | 'version' | 'seen_version' | 'media_epoch' | 'last_sequence'>
/** A signed URL depends on its origin, key and time window, and the event's media epoch. */
const stateOf = (chat: AnyChat, urls: Urls) => `${chat.version} ${urls.media(0, 'display', chat.media_epoch)}`
const readState = (chat: AnyChat) => `${chat.seen_version} ${chat.last_sequence}`
const stateOfLatest = (row: ListedChat) => `${row.last_message_id} ${readState(row)}`

type Listed = ListedChat | (ListedChat & Reading)
type Page = { chat: ChatRow; from: number; to: number } & Showing

export const openPageCache = (db: Database, most = bytesMax) => {
  const chats = new LRUCache<string, Kept>({ maxSize: most, sizeCalculation: sizeOf })
  /** For each chat that was read lately, the lowest and the highest sequence that was read and not cached. */
  const readOnce = new LRUCache<string, readonly [number, number]>(atMost(rememberedMax))
  const read = batched((spans: readonly Span[]) => readSpans(db, spans), { most: 16 })

  const keyOf = (chat: AnyChat, urls: Urls) => `${chat.id} ${urls.origin}`

  /** The cache entry of a chat in its current state; a new one if the state has changed. */
  const open = (chat: AnyChat, urls: Urls): Kept => {
    const [state, kept] = [stateOf(chat, urls), chats.get(keyOf(chat, urls))]
    return kept?.state === state ? kept : nothingKept(state)
  }

  /** Caches what was added, up to the newest 200 messages of a chat: the part that everybody opens. */
  const keep = (chat: AnyChat, urls: Urls, kept: Kept, added: readonly PageMessage[] = []) => {
    for (const message of added) kept.messages.set(message.row.sequence, message)
    const oldest = chat.last_sequence - messagesMax + 1
    for (const sequence of kept.messages.keys()) if (sequence < oldest) kept.messages.delete(sequence)
    // Setting a value that it already contains would not update the size.
    chats.delete(keyOf(chat, urls))
    chats.set(keyOf(chat, urls), kept)
  }

  /** Whether part of a page was read before; from now on it was. */
  const isReadAgain = ({ chat, from, to, urls }: Page) => {
    const key = keyOf(chat, urls)
    const [lowest, highest] = readOnce.get(key) ?? [Number.POSITIVE_INFINITY, 0]
    readOnce.set(key, [Math.min(lowest, from), Math.max(highest, to)])
    return from <= highest && to >= lowest
  }

  /** The missing part of a page: none, often its first message, at worst all. */
  const missingIn = (kept: Kept, has: ReadonlyMap<number, unknown>, { chat, from, to }: Page): Span | undefined => {
    let [first, last] = [from, to]
    while (first <= last && has.has(last)) last--
    while (first <= last && has.has(first)) first++
    const isCurrent = kept.seens?.state === readState(chat) && kept.seens.from <= from
    return first > last && isCurrent ? undefined : { chatId: chat.id, from, first, last }
  }

  /** A page as `reply` makes it of its messages, newest first. */
  const pageOfMessages = async <Reply>(page: Page, reply: (items: WriteItems) => Reply): Promise<Reply> => {
    const { chat, from, to, viewer, urls, extra } = page
    if (to < from) return reply(() => {})
    const held = open(chat, urls)
    // Taken out before anything is awaited: meanwhile somebody else's page may evict old messages.
    const messages = new Map([...held.messages].filter(([sequence]) => sequence >= from && sequence <= to))
    const keeps = messages.size > 0 || isReadAgain(page)
    const kept = keeps ? held : nothingKept(held.state)
    /** The viewer's reactions by message, which are not cached. */
    const own = new Map<number, readonly string[]>()
    const missing = missingIn(kept, messages, page)
    if (missing) {
      const { rows, marks, persons } = parseGroup(await read({ ...missing, viewerId: extra ? viewer.id : undefined }))
      for (const each of persons) if (!kept.persons.has(each.id)) kept.persons.set(each.id, writePerson(each, urls))
      kept.seens = seensOf(marks, kept.persons, { state: readState(chat), from })
      const found = keeps ? withJson(rows, kept, urls) : rows.map(row => ({ row, from: 0, to: 0 }))
      for (const message of found) messages.set(message.row.sequence, message)
      if (extra) for (const row of rows) own.set(row.id, row.own_emojis)
      if (keeps) keep(chat, urls, kept, found)
    }
    const seens = kept.seens as Seens
    const toAsk = () => [...messages.values()].flatMap(({ row }) => (row.reactions && !own.has(row.id) ? row.id : []))
    if (extra && keeps)
      for (const [id, by] of await reactionsOf(db, toAsk(), viewer.id)) own.set(id, by.get(viewer.id) ?? [])
    const beside = { urls, persons: kept.persons, more: extra ? { viewer, chat } : undefined }
    return reply(out => {
      for (let sequence = to; sequence >= from; sequence--) {
        const { json, from, to, row } = messages.get(sequence) as PageMessage
        if (json && row.hidden_at === null && !(extra && differs(row))) out.bytes(json, from, to)
        else writeItem(out, asSeenBy(row, viewer, chat), beside)
        if (!chat.hides_seen) writeSeens(out, seens, row)
        const more = () => presentMessageExtra(row, own.get(row.id) ?? [], viewer, chat)
        out.text(extra ? `],"extra":${JSON.stringify(more())}}` : ']}')
      }
    })
  }

  /** The same for chats, each with what is in its row. */
  const itemsOfChats = async (rows: readonly Listed[], urls: Urls): Promise<WriteItems> => {
    const all = new Map(rows.map(row => [row, open(row, urls)]))
    const missing = rows.filter(row => row.last_message_id && all.get(row)?.latest?.state !== stateOfLatest(row))
    const presentLatest = await latestOf(db, missing, urls)
    for (const row of missing) {
      const kept = all.get(row) as Kept
      const latest = JSON.stringify(presentLatest({ ...row, hides_seen: false }))
      kept.latest = { state: stateOfLatest(row), json: bytesOf(out => out.text(latest)) }
      keep(row, urls, kept)
    }
    return out => {
      for (const row of rows) {
        out.text(`,${JSON.stringify(presentChatAlone(row, urls)).slice(0, -1)},"latest_message":`)
        const latest = row.last_message_id ? all.get(row)?.latest?.json : undefined
        if (!latest) out.text('null')
        else if (row.hides_seen) out.text(JSON.stringify({ ...JSON.parse(latest.toString()), seens: [] }))
        else out.bytes(latest)
        out.text('unread' in row ? `,"extra":${JSON.stringify(presentChatExtra(row, urls))}}` : '}')
      }
    }
  }

  return { pageOfMessages, itemsOfChats }
}

export type PageCache = ReturnType<typeof openPageCache>

const writeItem = (out: JsonBytes, row: MessageRow, beside: Beside) => {
  out.text(',')
  writeMessage(text => out.text(text), row, beside)
}

/** Hidden messages are shown to few, and pictures have an `extra`. */
const differs = (row: MessageRow) => row.hidden_at !== null || row.attachments.length > 0
const rowToKeep = (row: MessageRow): MessageRow =>
  differs(row) ? row : { ...row, content: '', parent: row.parent && { ...row.parent, content: '' } }
const withJson = (rows: readonly MessageRow[], { persons }: Kept, urls: Urls): PageMessage[] => {
  const { json, starts } = piecesOf(rows, (out, row) => writeItem(out, row, { urls, persons, more: undefined }))
  const part = (at: number) => ({ json, from: starts[at] as number, to: starts[at + 1] as number })
  return rows.map((row, at) => ({ ...part(at), row: rowToKeep({ ...row, own_emojis: [] }) }))
}

const nothingKept = (state: string): Kept => ({ state, messages: new Map(), persons: new Map() })

const seensOf = (marks: readonly SeenMark[], persons: Kept['persons'], at: Pick<Seens, 'state' | 'from'>): Seens => ({
  ...at,
  marks,
  ...piecesOf(marks, (out, { user_id: id }) => out.text(`,${(persons.get(id) as WrittenPerson).seen}`)),
})

/** The marks that have reached a message are the first ones, without its author. */
const writeSeens = (out: JsonBytes, { marks, json, starts }: Seens, message: MessageRow) => {
  let [count, own] = [0, -1]
  for (; count < marks.length && (marks[count] as SeenMark).seen_sequence >= message.sequence; count++)
    if (marks[count]?.user_id === message.user_id) own = count
  const add = (first: number, end: number, skipped: number) => {
    if (first < end) out.bytes(json, (starts[first] as number) + skipped, starts[end])
  }
  if (own < 0) return add(0, Math.min(count, seensShownMax), 1)
  add(0, own, 1)
  add(own + 1, Math.min(count, seensShownMax + 1), own === 0 ? 1 : 0)
}
