import * as contract from '@afterglow/contract/chats/seen-marks'
import { presentSeenUser } from '../accounts/present-person.ts'
import type { Database } from '../platform/database/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import { maySeeReaders, messageFor } from './access.ts'
import * as chats from './chat-list-store.ts'
import { openMarking } from './seen-marks.ts'
import { listSeen } from './seen-marks-store.ts'

export const seenMarkRoutes = (serve: Serve, database: Database) => {
  const markSeen = openMarking(database)

  serve(contract.markSeen, async ({ db, viewer, input }) => {
    const row = (await chats.readChat(db, viewer.id, await markSeen(viewer, input.message_id))) ?? refuse('notInEvent')
    return { group_chat_id: row.id, seen_sequence: row.seen_sequence, unread_count: row.unread }
  })

  serve(contract.listSeen, async ({ db, viewer, input, urls, page }) => {
    const { chat, message } = await messageFor(db, viewer, input.message_id)
    const reached = { chatId: chat.id, sequence: message.sequence, authorId: message.user_id }
    const people = maySeeReaders(chat) ? await listSeen(db, reached, rangeOf(input)) : []
    return page(people, person => presentSeenUser(person, urls))
  })

  serve(contract.countUnread, async ({ db, viewer }) => {
    const rows = await chats.countUnread(db, viewer.id)
    return {
      unread_count: rows.reduce((sum, { unread }) => sum + unread, 0),
      group_chats: rows.map(({ id, unread }) => ({ group_chat_id: id, unread_count: unread })),
    }
  })
}
