import type { SeenUser } from '@afterglow/contract/accounts'
import type { z } from 'zod'
import { type Person, personsById, presentSeenUser } from '../accounts/persons.ts'
import type { Db } from '../platform/database.ts'
import type { Envelope } from '../platform/http/pages.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { KeptChat, KeptMessage, KeptMessages } from './kept-messages.ts'
import type { KeptPages } from './kept-pages.ts'
import { furthestMarks, type SeenMark } from './marks-store.ts'
import { presentMessage } from './present.ts'
import { reaching } from './seens.ts'
import { peopleOf, withAttachments } from './showing.ts'
import * as store from './store.ts'

export type Sequences = { from: number; to: number }

/** The sequences of a page: the n-th length of messages back from the anchor, or from the newest. Empty when to < from. */
export const sequencesOf = (
  chat: { last_sequence: number; anchor: number | null },
  { page, page_length: length }: { page: number; page_length: number },
): Sequences => {
  const to = (chat.anchor ?? chat.last_sequence) - (page - 1) * length
  return { from: Math.max(1, to - length + 1), to }
}

export type Kept = { pages: KeptPages; messages: KeptMessages }
type Asked = { chat: store.ChatRow; sequences: Sequences; urls: Urls; url: string; envelope: Envelope<never> }

/** A page of messages as JSON, without `extra`: the same bytes for everybody in the chat. */
export const pageOfMessages = async (db: Db, kept: Kept, asked: Asked): Promise<Buffer> => {
  const { chat, urls, url } = asked
  // A signed URL names its origin, key, window of time and the event's media epoch: all that the others in a page depend on.
  const stamp = urls.media(0, 'display', chat.media_epoch)
  const state = `${chat.version} ${chat.last_sequence} ${chat.seen_version} ${stamp}`
  const ready = kept.pages.find(url, state)
  if (ready) return ready

  const chatKey = `${chat.id} ${urls.origin}`
  const open = kept.messages.open(chatKey, `${chat.version} ${stamp}`)
  const json = Buffer.from(await write(db, open, asked))
  kept.messages.keep(chatKey, open, chat.last_sequence)
  kept.pages.keep(url, state, json)
  return json
}

const write = async (db: Db, kept: KeptChat, { chat, sequences, urls, envelope }: Asked) => {
  // Taken out before anything is awaited: meanwhile a page of somebody else's may drop old messages.
  const page = messagesKept(kept, sequences)
  const [rows, marks] = await Promise.all([
    readMissing(db, page, chat.id, sequences),
    sequences.to < sequences.from ? [] : marksFrom(db, chat.id, sequences.from),
  ])
  const attachments = await store.attachmentsOf(db, withAttachments(rows))
  await readPersons(db, kept, [...peopleOf(rows), ...marks.map(mark => mark.user_id)])

  const beside = { urls, persons: kept.persons, attachments, more: undefined }
  for (const row of rows) {
    const { sequence, user_id } = row
    const message = { sequence, user_id, json: JSON.stringify(presentMessage(row, beside)) }
    page.set(sequence, message)
    kept.messages.set(sequence, message)
  }
  const texts: string[] = []
  for (let sequence = sequences.to; sequence >= sequences.from; sequence--) {
    const message = page.get(sequence) as KeptMessage
    const seens = reaching(message, marks).map(id => seenBy(kept, id, urls))
    texts.push(`${message.json.slice(0, -1)},"seens":[${seens.join()}]}`)
  }
  return around(envelope, texts)
}

const messagesKept = ({ messages }: KeptChat, { from, to }: Sequences) => {
  const page = new Map<number, KeptMessage>()
  for (let sequence = to; sequence >= from; sequence--) {
    const message = messages.get(sequence)
    if (message) page.set(sequence, message)
  }
  return page
}

/** The part of a page that is not kept: often only its first message, at worst all. */
const readMissing = async (db: Db, page: ReadonlyMap<number, KeptMessage>, chatId: number, { from, to }: Sequences) => {
  let [low, high] = [from, to]
  while (low <= high && page.has(high)) high--
  while (low <= high && page.has(low)) low++
  return low > high ? [] : store.listMessages(db, chatId, { from: low, to: high })
}

const marksFrom = async (db: Db, chatId: number, from: number): Promise<readonly SeenMark[]> =>
  (await furthestMarks(db, new Map([[chatId, from]]))).get(chatId) ?? []

const readPersons = async (db: Db, kept: KeptChat, ids: readonly number[]) => {
  const unknown = ids.filter(id => !kept.persons.has(id))
  if (unknown.length) for (const [id, person] of await personsById(db, unknown)) kept.persons.set(id, person)
}

const seenBy = (kept: KeptChat, id: number, urls: Urls) => {
  const known = kept.seens.get(id)
  if (known) return known
  const user: z.output<typeof SeenUser> = presentSeenUser(kept.persons.get(id) as Person, urls)
  const json = JSON.stringify({ user })
  kept.seens.set(id, json)
  return json
}

const emptyData = '"data":[]'

/** The list envelope around items that are JSON already. Before `data` stands nothing but a number. */
const around = (envelope: Envelope<never>, texts: readonly string[]) => {
  const json = JSON.stringify({ ...envelope, data: [] })
  const at = json.indexOf(emptyData)
  return `${json.slice(0, at)}"data":[${texts.join()}]${json.slice(at + emptyData.length)}`
}
