import type { Db } from '../../platform/database/database.ts'
import type { WriteItems } from '../../platform/http/pages.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Urls } from '../../platform/http/urls.ts'
import { admitted, maySeeReaders } from '../access.ts'
import { type Cards, withCards } from '../cards.ts'
import type { ListedChat, Reading } from '../chat-list-store.ts'
import {
  asSeenBy,
  presentChatAlone,
  presentChatExtra,
  presentFor,
  presentLatest,
  presentPersons,
  presentWithoutSeens,
  type Showing,
  withPicturesFor,
} from '../present.ts'
import { reaching } from '../seen-marks-store.ts'
import { type MessagePage, readMessages } from './messages-store.ts'

export const openShowing = (cards: Cards) => ({
  /** Refuses noSuchMessage, notInEvent. */
  async showMessage(db: Db, id: number, showing: Showing) {
    const read = await readMessages(db, [id], showing.viewer.id)
    const [row = refuse('noSuchMessage')] = await withCards(db, cards, read.rows, showing)
    admitted({ chat: read.chats.get(row.group_chat_id) ?? refuse('noSuchMessage') })
    return presentFor(read, showing)(row)
  },

  /** Messages in the order of their IDs; deleted ones are left out. */
  async showFound(db: Db, ids: readonly number[], showing: Showing) {
    const read = await readMessages(db, ids, showing.viewer.id)
    const byId = new Map((await withCards(db, cards, read.rows, showing)).map(row => [row.id, row]))
    return { rows: ids.flatMap(id => byId.get(id) ?? []), present: presentFor(read, showing) }
  },

  /** A page of messages as the items of a list. */
  async showMessages(db: Db, page: MessagePage, showing: Showing): Promise<WriteItems> {
    return writeMessages({ ...page, rows: await withCards(db, cards, page.rows, showing) }, showing)
  },
})

/** Writes each person who has seen some of the messages once. */
const writeMessages = (
  { chat, rows, marks, persons: named }: MessagePage,
  { viewer, urls, extra }: Showing,
): WriteItems => {
  const persons = presentPersons(named, urls)
  const seenBy = new Map([...persons].map(([id, { seen }]) => [id, `{"user":${JSON.stringify(seen)}}`]))
  const beside = { urls, persons, more: extra ? { viewer, chat } : undefined }
  return out => {
    for (const row of rows) {
      const message = JSON.stringify(presentWithoutSeens(asSeenBy(row, viewer, chat), beside))
      const seens = maySeeReaders(chat) ? reaching(row, marks) : []
      out.text(`,${message.slice(0, -1)},"seens":[${seens.map(id => seenBy.get(id))}]}`)
    }
  }
}

const latestOf = async (db: Db, chats: readonly ListedChat[], urls: Urls) => {
  const ids = chats.map(chat => chat.last_message_id).filter(id => id !== null)
  if (ids.length === 0) return () => null
  const { rows, marks, persons, chats: found } = await readMessages(db, ids)
  const beside = { urls, persons: presentPersons(persons, urls), more: undefined }
  const latest = new Map(rows.map(row => [row.group_chat_id, row]))
  return (chat: ListedChat | (ListedChat & Reading)) => {
    const row = latest.get(chat.id)
    if (!row) return null
    const seens = maySeeReaders(chat) ? reaching(row, marks.get(chat.id) ?? []) : []
    const approves_photos = found.get(chat.id)?.approves_photos ?? true
    return presentLatest(withPicturesFor(row, { standing: chat.standing, approves_photos }), seens, beside)
  }
}

export const showingChats = async (
  db: Db,
  chats: readonly (ListedChat | (ListedChat & Reading))[],
  { urls }: Pick<Showing, 'urls'>,
) => {
  const latest = await latestOf(db, chats, urls)
  return (chat: ListedChat | (ListedChat & Reading)) => ({
    ...presentChatAlone(chat, urls),
    latest_message: latest(chat),
    ...('unread' in chat && { extra: presentChatExtra(chat, urls) }),
  })
}
