import { personsById } from '../accounts/persons.ts'
import type { Db } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { admitted } from './access.ts'
import type { ListedChat } from './chats-store.ts'
import { furthestMarks, type SeenMark } from './marks-store.ts'
import { asSeenBy, type Beside, presentChatAlone, presentLatest, presentMessage } from './present.ts'
import { reaching } from './seens.ts'
import * as store from './store.ts'
import { readMessages } from './telling-store.ts'

/* Rows to replies: what stands beside the rows is read for all of them at once, in statements that do not grow in number. */

/** Whom a reply is for, and how it is made. */
export type Showing = { viewer: Viewer; urls: Urls; extra: boolean }

type Read = { rows: readonly store.MessageRow[]; chats: ReadonlyMap<number, store.ChatRow> }

/** What stands beside these messages, and who has seen each. */
const readBeside = async (db: Db, rows: readonly store.MessageRow[], urls: Urls) => {
  const attachments = await store.attachmentsOf(db, withAttachments(rows))
  const marks = rows.length ? await marksByChat(db, rows) : new Map<number, SeenMark[]>()
  const seens = new Map(rows.map(row => [row.id, reaching(row, marks.get(row.group_chat_id) ?? [])]))
  const persons = await personsById(db, [...peopleOf(rows), ...[...seens.values()].flat()])
  return { beside: { urls, persons, attachments }, seens }
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
export const showingMessages = async (db: Db, { rows, chats }: Read, { viewer, urls, extra }: Showing) => {
  const { seens, ...read } = await readBeside(db, rows, urls)
  const more = extra
    ? { viewer, chats, myReactions: await store.reactionsOf(db, viewer.id, rows.map(idOf)) }
    : undefined
  const beside: Beside = { ...read.beside, more }
  return (row: store.MessageRow) => {
    const chat = chats.get(row.group_chat_id) as store.ChatRow
    return presentMessage(asSeenBy(row, viewer, chat), seens.get(row.id) ?? [], beside)
  }
}

/** One message as the interface shows it. Refuses noSuchMessage, notInEvent. */
export const showMessage = async (db: Db, id: number, { viewer, urls, extra }: Showing) => {
  const { rows, chats, marks, persons } = await readMessages(db, [id], viewer.id)
  const row = rows[0] ?? refuse('noSuchMessage')
  const { chat } = admitted({ chat: chats.get(row.group_chat_id) ?? refuse('noSuchMessage') })
  const attachments = await store.attachmentsOf(db, withAttachments(rows))
  const more = extra
    ? { viewer, chats, myReactions: await store.reactionsOf(db, viewer.id, row.reactions ? [id] : []) }
    : undefined
  const seens = reaching(row, marks.get(row.group_chat_id) ?? [])
  return presentMessage(asSeenBy(row, viewer, chat), seens, { urls, persons, attachments, more })
}

/** How to present the latest message of each of these chats. */
export const latestOf = async (db: Db, chats: readonly ListedChat[], urls: Urls) => {
  const ids = chats.map(chat => chat.last_message_id).filter(id => id !== null)
  const rows = ids.length ? await store.messagesById(db, ids) : []
  const read = await readBeside(db, rows, urls)
  const beside: Beside = { ...read.beside, more: undefined }
  const latest = new Map(rows.map(row => [row.group_chat_id, row]))
  return ({ id }: ListedChat) => {
    const row = latest.get(id)
    return row ? presentLatest(row, read.seens.get(row.id) ?? [], beside) : null
  }
}

/** How to present these chats with the latest message of each. */
export const showingChats = async (db: Db, chats: readonly ListedChat[], { urls }: Pick<Showing, 'urls'>) => {
  const latest = await latestOf(db, chats, urls)
  return (chat: ListedChat) => ({ ...presentChatAlone(chat, urls), latest_message: latest(chat) })
}
