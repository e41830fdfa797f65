import { seensShownMax } from '@afterglow/contract/limits'
import { LRUCache } from 'lru-cache'
import { batched } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { ListedChat, Reading } from './chat-list-store.ts'
import { type MessageRow, reactionsOf, readSpans, type Span } from './messages-store.ts'
import {
  asSeenBy,
  messageJson,
  presentChatAlone,
  presentChatExtra,
  presentMessageExtra,
  type Showing,
  type WrittenPerson,
  writePerson,
} from './present.ts'
import type { SeenMark } from './seen-marks-store.ts'
import { latestOf } from './show-message.ts'
import type { ChatRow } from './store.ts'

/*
 * The newest messages of busy chats as JSON, and who has read how far. The database is asked on every request who the
 * viewer is and how the chat stands (ChatRow); what is kept serves only as long as the chat stands as it did when it was
 * read, and is never older than that, because the state is read first. A new message leaves the others true, and a seen
 * mark all of them. Joining kept bytes costs a tenth of joining text that has to become UTF-8 in the end. Messages are
 * kept when they are read again: most are read once, and keeping them took as long as half of making them.
 */

const bytesMax = 48 * 1024 * 1024
const messagesMax = 200
const rememberedMax = 20_000

/** Bytes of their own: a slice of one of Node's pools would keep the pool, sixty times what it says. */
export const ownBytes = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

type KeptMessage = {
  /** As an item of a list, with a comma before it, up to its `seens`. */
  json: Buffer
  /** Its words are kept of what is not the same for everybody: a hidden message, and pictures, which have an `extra`. */
  row: MessageRow
  differs: boolean
}
/** `starts` says where each mark's owner begins in `json`, and where the last one ends. */
type Seens = { state: string; from: number; marks: readonly SeenMark[]; json: Buffer; starts: readonly number[] }
type Kept = {
  state: string
  /** By sequence. */
  messages: Map<number, KeptMessage>
  /** Everybody that is named. */
  persons: Map<number, WrittenPerson>
  seens: Seens | undefined
  /** The latest message with all who have seen it, as a field of its chat. */
  latest: { state: string; json: Buffer } | undefined
}

/** What a Buffer with its memory, a message, a picture, a person and a mark take beside their text, about. */
const overhead = { buffer: 400, message: 700, picture: 500, person: 150, mark: 80 }
const sizeOf = ({ messages, persons, seens, latest }: Kept) => {
  let bytes = 1000 + (seens?.marks.length ?? 0) * overhead.mark
  for (const { json, row, differs } of messages.values())
    bytes += json.length * (differs ? 3 : 1) + overhead.message + row.attachments.length * overhead.picture
  for (const { user, seen } of persons.values()) bytes += overhead.person + 2 * (user.length + seen.length)
  for (const json of [seens?.json, latest?.json]) if (json) bytes += json.length + overhead.buffer
  return bytes
}

type AnyChat = Pick<ChatRow, 'id' | 'version' | 'seen_version' | 'media_epoch' | 'last_sequence'>
/** A signed URL names its origin, key and window of time, and the event's media epoch. */
const stateOf = (chat: AnyChat, urls: Urls) => `${chat.version} ${urls.media(0, 'display', chat.media_epoch)}`
const readState = (chat: AnyChat) => `${chat.seen_version} ${chat.last_sequence}`
const stateOfLatest = (row: ListedChat) => `${row.last_message_id} ${readState(row)}`

type Page = { chat: ChatRow; from: number; to: number; showing: Showing }

export const openPageCache = (db: Database, most = bytesMax) => {
  const chats = new LRUCache<string, Kept>({ maxSize: most, sizeCalculation: sizeOf })
  /** Of each chat the lowest and the highest sequence that was read and not kept. */
  const readOnce = new LRUCache<string, readonly [number, number]>({ max: rememberedMax })
  // A span is mostly the one message that is not kept; eight whole pages in one statement are enough to parse at once.
  const read = batched((spans: readonly Span[]) => readSpans(db, spans), { most: 8 })

  const keyOf = (chat: AnyChat, urls: Urls) => `${chat.id} ${urls.origin}`

  /** What is kept of a chat as it stands; nothing yet when it was kept as it stood before. */
  const open = (chat: AnyChat, urls: Urls): Kept => {
    const state = stateOf(chat, urls)
    const kept = chats.get(keyOf(chat, urls))
    return kept?.state === state ? kept : nothingKept(state)
  }

  /** Keeps what was added, up to the newest 200 messages of a chat: what everybody opens it on. */
  const keep = (chat: AnyChat, urls: Urls, kept: Kept) => {
    for (const sequence of kept.messages.keys())
      if (sequence <= chat.last_sequence - messagesMax) kept.messages.delete(sequence)
    // Of a value that it holds already the size would stay as it was.
    chats.delete(keyOf(chat, urls))
    chats.set(keyOf(chat, urls), kept)
  }

  /** Whether some of a page was read before; from now on it was. */
  const isReadAgain = ({ chat, from, to, showing }: Page) => {
    const key = keyOf(chat, showing.urls)
    const [lowest, highest] = readOnce.get(key) ?? [Number.POSITIVE_INFINITY, 0]
    readOnce.set(key, [Math.min(lowest, from), Math.max(highest, to)])
    return from <= highest && to >= lowest
  }

  /** Reads what is not there of a page: nothing, often its first message, at worst all, in one statement. */
  const readMissing = async (kept: Kept, has: ReadonlyMap<number, unknown>, { chat, from, to, showing }: Page) => {
    let [first, last] = [from, to]
    while (first <= last && has.has(last)) last--
    while (first <= last && has.has(first)) first++
    const at = { state: readState(chat), from }
    if (first > last && kept.seens?.state === at.state && kept.seens.from <= from)
      return { rows: [], seens: kept.seens }
    const { rows, marks, persons } = await read({ chatId: chat.id, from, first, last })
    for (const person of persons)
      if (!kept.persons.has(person.id)) kept.persons.set(person.id, writePerson(person, showing.urls))
    return { rows, seens: seensOf(marks, kept.persons, at) }
  }

  /** The messages of a page as its items, the newest first. */
  const itemsOfMessages = async (page: Page): Promise<Buffer[]> => {
    const { chat, from, to, showing } = page
    const { viewer, urls, extra } = showing
    if (to < from) return []
    const held = open(chat, urls)
    // Taken out before anything is awaited: meanwhile a page of somebody else's may drop old messages.
    const messages = new Map([...held.messages].filter(([sequence]) => sequence >= from && sequence <= to))
    const keeps = messages.size > 0 || isReadAgain(page)
    const kept = keeps ? held : nothingKept(held.state)
    const { rows, seens } = await readMissing(kept, messages, page)
    const plain = { urls, persons: kept.persons, more: undefined }
    const { json: all, starts } = inOnePiece(rows.map(row => `,${messageJson(row, plain)}`))
    for (const [at, row] of rows.entries()) {
      const json = all.subarray(starts[at], starts[at + 1])
      const differs = row.hidden_at !== null || row.attachments.length > 0
      const message = { json, row: differs ? row : wordless(row), differs }
      messages.set(row.sequence, message)
      kept.messages.set(row.sequence, message)
    }
    if (keeps && (rows.length > 0 || kept.seens !== seens)) keep(chat, urls, Object.assign(kept, { seens }))

    const reacted = extra ? [...messages.values()].flatMap(({ row }) => (row.reactions ? row.id : [])) : []
    const reactions = await reactionsOf(db, reacted, viewer.id)
    const beside = { ...plain, more: extra ? { viewer, chat } : undefined }
    const pieces: Buffer[] = []
    for (let sequence = to; sequence >= from; sequence--) {
      const { json, row, differs } = messages.get(sequence) as KeptMessage
      const isAnew = row.hidden_at !== null || (extra && differs)
      pieces.push(isAnew ? Buffer.from(`,${messageJson(asSeenBy(row, viewer, chat), beside)}`) : json)
      if (!chat.hides_seen) addSeens(pieces, seens, row)
      const more = () => presentMessageExtra(row, reactions.get(row.id)?.get(viewer.id) ?? [], viewer, chat)
      pieces.push(extra ? Buffer.from(`],"extra":${JSON.stringify(more())}}`) : itemEnd)
    }
    return pieces
  }

  /** The same of chats, each with what is in its row. */
  const itemsOfChats = async (
    rows: readonly (ListedChat | (ListedChat & Reading))[],
    urls: Urls,
  ): Promise<Buffer[]> => {
    const all = new Map(rows.map(row => [row, open(row, urls)]))
    const missing = rows.filter(row => row.last_message_id && all.get(row)?.latest?.state !== stateOfLatest(row))
    const presentLatest = await latestOf(db, missing, urls)
    for (const row of missing) {
      const kept = all.get(row) as Kept
      kept.latest = {
        state: stateOfLatest(row),
        json: ownBytes(latestField + JSON.stringify(presentLatest({ ...row, hides_seen: false }))),
      }
      keep(row, urls, kept)
    }
    return rows.flatMap(row => {
      const chat = `,${JSON.stringify(presentChatAlone(row, urls)).slice(0, -1)}`
      const latest = row.last_message_id ? all.get(row)?.latest?.json : undefined
      const end = 'unread' in row ? `,"extra":${JSON.stringify(presentChatExtra(row, urls))}}` : '}'
      return [
        Buffer.from(chat),
        (row.hides_seen ? latest && withoutSeens(latest) : latest) ?? noLatest,
        Buffer.from(end),
      ]
    })
  }

  return { itemsOfMessages, itemsOfChats }
}

export type PageCache = ReturnType<typeof openPageCache>

const latestField = ',"latest_message":'
const noLatest = Buffer.from(`${latestField}null`)
const itemEnd = Buffer.from(']}')

/** For the few who see of nobody what they have read. */
const withoutSeens = (latest: Buffer): Buffer => {
  const message = JSON.parse(latest.toString('utf8', latestField.length))
  return Buffer.from(latestField + JSON.stringify({ ...message, seens: [] }))
}

const wordless = (row: MessageRow): MessageRow => ({
  ...row,
  content: '',
  parent: row.parent && { ...row.parent, content: '' },
})

const nothingKept = (state: string): Kept => ({
  state,
  messages: new Map(),
  persons: new Map(),
  seens: undefined,
  latest: undefined,
})

const seensOf = (marks: readonly SeenMark[], persons: Kept['persons'], at: Pick<Seens, 'state' | 'from'>): Seens => {
  const items = marks.map(({ user_id: id }) => `,${(persons.get(id) as WrittenPerson).seen}`)
  return { ...at, marks, ...inOnePiece(items) }
}

/** Where each text begins, and where the last one ends: fifty Buffers of their own take longer to make than what they hold. */
const inOnePiece = (texts: readonly string[]) => {
  const starts = [0]
  for (const text of texts) starts.push((starts.at(-1) as number) + Buffer.byteLength(text))
  return { json: ownBytes(texts.join('')), starts }
}

/** Whose marks have reached a message are the first of them, its author left out. */
const addSeens = (pieces: Buffer[], { marks, json, starts }: Seens, message: MessageRow) => {
  let [count, own] = [0, -1]
  for (; count < marks.length && (marks[count] as SeenMark).seen_sequence >= message.sequence; count++)
    if (marks[count]?.user_id === message.user_id) own = count
  const add = (first: number, end: number, skipped: number) => {
    if (first < end) pieces.push(json.subarray((starts[first] as number) + skipped, starts[end]))
  }
  if (own < 0) return add(0, Math.min(count, seensShownMax), 1)
  add(0, own, 1)
  add(own + 1, Math.min(count, seensShownMax + 1), own === 0 ? 1 : 0)
}
