import { personsById } from '../accounts/persons.ts'
import type { Db } from '../platform/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { messageFor } from './access.ts'
import type { ListedChat } from './chats-store.ts'
import type { KeptLatest } from './kept-latest.ts'
import { stateOfPages } from './kept-messages.ts'
import { furthestMarks, type SeenMark } from './marks-store.ts'
import { type Beside, presentLatest, presentMessage } from './present.ts'
import { reaching } from './seens.ts'
import * as store from './store.ts'

/* Rows to replies: what stands beside the rows is read for all of them at once, in statements that do not grow in number. */

/** Whom a reply is for, and how it is made. */
export type Showing = { viewer: Viewer; urls: Urls; extra: boolean }

type Read = { rows: readonly store.MessageRow[]; chats: ReadonlyMap<number, store.ChatRow> }

/** What stands beside these messages, and who has seen each. `more` is left out where replies carry none. */
const readBeside = async (db: Db, { rows, chats }: Read, { viewer, urls, extra }: Showing) => {
  const attachments = await store.attachmentsOf(db, withAttachments(rows))
  const marks = rows.length ? await marksByChat(db, rows) : new Map<number, SeenMark[]>()
  const seens = new Map(rows.map(row => [row.id, reaching(row, marks.get(row.group_chat_id) ?? [])]))
  const myReactions = extra ? await store.reactionsOf(db, viewer.id, rows.map(idOf)) : new Map()
  const persons = await personsById(db, [...peopleOf(rows), ...[...seens.values()].flat()])
  const beside: Beside = { urls, persons, attachments, more: extra ? { viewer, chats, myReactions } : undefined }
  return { beside, seens }
}

const idOf = ({ id }: { id: number }) => id

export const withAttachments = (rows: readonly store.MessageRow[]) =>
  rows.filter(row => row.attachments_count > 0).map(idOf)

/** Authors of messages and of what they reply to; an attachment's person is its message's. */
export const peopleOf = (rows: readonly store.MessageRow[]) =>
  rows.flatMap(row => (row.parent_id === null ? [row.user_id] : [row.user_id, row.parent_user_id]))

const marksByChat = async (db: Db, rows: readonly store.MessageRow[]) => {
  const oldest = new Map<number, number>()
  for (const { group_chat_id: chat, sequence } of rows)
    oldest.set(chat, Math.min(sequence, oldest.get(chat) ?? sequence))
  const asked = [...oldest].map(([chatId, from]) => ({ chatId, from }))
  const marks = await furthestMarks(db, asked)
  return new Map(asked.map(({ chatId }, at) => [chatId, marks[at] ?? []]))
}

/** How to present these messages, of whatever chats. */
export const showingMessages = async (db: Db, read: Read, showing: Showing) => {
  const { beside, seens } = await readBeside(db, read, showing)
  return (row: store.MessageRow) => presentMessage(row, seens.get(row.id) ?? [], beside)
}

/** One message as the interface shows it. Refuses noSuchMessage, notInEvent. */
export const showMessage = async (db: Db, id: number, showing: Showing) => {
  const { chat } = await messageFor(db, showing.viewer, id)
  const rows = await store.messagesById(db, [id])
  const present = await showingMessages(db, { rows, chats: new Map([[chat.id, chat]]) }, showing)
  return present(rows[0] as store.MessageRow)
}

/** The latest messages of these chats as JSON, by their ids; read where what is kept is not true any more. */
export const latestMessages = async (
  db: Db,
  kept: KeptLatest,
  chats: readonly ListedChat[],
  { viewer, urls }: Pick<Showing, 'viewer' | 'urls'>,
): Promise<ReadonlyMap<number | null, Buffer | undefined>> => {
  const placeOf = (chat: ListedChat) =>
    [`${chat.id} ${urls.origin}`, `${stateOfPages(chat, urls)} ${chat.last_sequence} ${chat.seen_version}`] as const
  const latest = new Map(chats.map(chat => [chat.last_message_id, kept.find(...placeOf(chat))]))
  const changed = chats.filter(chat => chat.last_message_id !== null && !latest.get(chat.last_message_id))
  if (changed.length === 0) return latest
  const rows = await store.messagesById(
    db,
    changed.map(chat => chat.last_message_id as number),
  )
  const { beside, seens } = await readBeside(db, { rows, chats: new Map() }, { viewer, urls, extra: false })
  for (const row of rows)
    latest.set(row.id, Buffer.from(JSON.stringify(presentLatest(row, seens.get(row.id) ?? [], beside))))
  for (const chat of changed) kept.keep(...placeOf(chat), latest.get(chat.last_message_id) as Buffer)
  return latest
}
