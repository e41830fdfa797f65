import type { Database } from '../platform/database.ts'
import type { Envelope } from '../platform/http/pages.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { ListedChat } from './chats-store.ts'
import { type KeptChat, type KeptMessages, marksState } from './kept-messages.ts'
import { itemEnd, moreOfItem, pageAround, startOfItem } from './page-json.ts'
import { presentChatAlone } from './present.ts'
import { latestOf } from './showing.ts'

type Asked<Row> = {
  rows: readonly Row[]
  envelope: Envelope<never>
  urls: Urls
  /** What `extra` says of each chat. */
  extraOf: ((row: Row) => unknown) | undefined
}

const none = moreOfItem('latest_message', null)

/**
 * Reads pages of chats as JSON in UTF-8. The latest message of each, which is the same for everybody, is most of it: with
 * all who have seen it, it is kept beside the chat's messages and serves as long as the chat stands as it did. Measured
 * on a page of 50 chats: one statement instead of five, 0.8 ms of CPU here instead of 5.9 and 0.4 in PostgreSQL instead of 2.7.
 */
export const openChatList = (db: Database, keptMessages: KeptMessages) => {
  const stateOfLatest = (row: ListedChat) => `${row.last_message_id} ${marksState(row)}`

  const readLatest = async (rows: readonly ListedChat[], chats: ReadonlyMap<ListedChat, KeptChat>, urls: Urls) => {
    const presentLatest = await latestOf(db, rows, urls)
    for (const row of rows) {
      const kept = chats.get(row) as KeptChat
      kept.latest = { state: stateOfLatest(row), json: moreOfItem('latest_message', presentLatest(row)) }
      keptMessages.keep(row, urls, kept)
    }
  }

  return async <Row extends ListedChat>({ rows, envelope, urls, extraOf }: Asked<Row>): Promise<Buffer> => {
    const talkedIn = rows.filter(row => row.last_message_id !== null)
    const chats = new Map<ListedChat, KeptChat>(talkedIn.map(row => [row, keptMessages.open(row, urls)]))
    const missing = talkedIn.filter(row => chats.get(row)?.latest?.state !== stateOfLatest(row))
    if (missing.length) await readLatest(missing, chats, urls)
    const pieces: Buffer[] = []
    for (const row of rows) {
      pieces.push(startOfItem(presentChatAlone(row, urls)), chats.get(row)?.latest?.json ?? none)
      if (extraOf) pieces.push(moreOfItem('extra', extraOf(row)))
      pieces.push(itemEnd)
    }
    return pageAround(envelope, pieces)
  }
}
