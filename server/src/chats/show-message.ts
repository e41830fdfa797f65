import type { Db } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Urls } from '../platform/http/urls.ts'
import { admitted } from './access.ts'
import type { ListedChat } from './chat-list-store.ts'
import { readMessages } from './messages-store.ts'
import { presentChatAlone, presentFor, presentLatest, type Showing, writePersons } from './present.ts'
import { reaching } from './seen-marks-store.ts'

/** A message as the interface shows it. Refuses noSuchMessage, notInEvent. */
export const showMessage = async (db: Db, id: number, showing: Showing) => {
  const read = await readMessages(db, [id], showing.viewer.id)
  const row = read.rows[0] ?? refuse('noSuchMessage')
  admitted({ chat: read.chats.get(row.group_chat_id) ?? refuse('noSuchMessage') })
  return presentFor(read, showing)(row)
}

/** How to present the latest message of each of these chats. */
export const latestOf = async (db: Db, chats: readonly ListedChat[], urls: Urls) => {
  const ids = chats.map(chat => chat.last_message_id).filter(id => id !== null)
  if (ids.length === 0) return () => null
  const { rows, marks, persons } = await readMessages(db, ids)
  const beside = { urls, persons: writePersons(persons, urls), more: undefined }
  const latest = new Map(rows.map(row => [row.group_chat_id, row]))
  return ({ id, hides_seen }: Pick<ListedChat, 'id' | 'hides_seen'>) => {
    const row = latest.get(id)
    const seens = row && !hides_seen ? reaching(row, marks.get(id) ?? []) : []
    return row ? presentLatest(row, seens, beside) : null
  }
}

/** How to present these chats with the latest message of each. */
export const showingChats = async (db: Db, chats: readonly ListedChat[], { urls }: Pick<Showing, 'urls'>) => {
  const latest = await latestOf(db, chats, urls)
  return (chat: ListedChat) => ({ ...presentChatAlone(chat, urls), latest_message: latest(chat) })
}
