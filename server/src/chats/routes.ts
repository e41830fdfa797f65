import * as contract from '@afterglow/contract/chats'
import type { Database } from '../platform/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import { Ready, type Serve } from '../platform/http/serve.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Media } from '../platform/media/records.ts'
import { chatFor } from './access.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import * as chats from './chats-store.ts'
import { KeptLatest } from './kept-latest.ts'
import { messageRoutes } from './message-routes.ts'
import { addChat, alone, moreOfItem, pageAround, startOfItem } from './page-json.ts'
import { presentChat, presentChatExtra } from './present.ts'
import { reactionRoutes } from './reaction-routes.ts'
import { latestMessages } from './showing.ts'
import { openTurns } from './turns.ts'

const nothing = () => undefined as never

const chatJson = (row: chats.ListedChat, latest: ReadonlyMap<number | null, Buffer | undefined>, urls: Urls) => ({
  chat: startOfItem(presentChat(row, urls)),
  latest: latest.get(row.last_message_id),
  extra: row.reading && moreOfItem('extra', presentChatExtra(row, row.reading)),
})

export const chatRoutes = (serve: Serve, { db: database, media }: { db: Database; media: Media }) => {
  const inTurn = openTurns()
  const kept = new KeptLatest()

  serve(contract.listChats, async ({ db, input, page, extra, ...asking }) => {
    const list = extra ? chats.listChatsWithReading : chats.listChats
    const rows = await list(db, asking.viewer.id, rangeOf(input))
    const latest = await latestMessages(db, kept, rows, asking)
    const pieces: Buffer[] = []
    for (const row of rows.slice(0, input.page_length)) addChat(pieces, chatJson(row, latest, asking.urls))
    return new Ready(pageAround(page(rows, nothing), pieces))
  })

  serve(contract.readChat, async ({ db, input, extra, ...asking }) => {
    const { id } = await chatFor(db, asking.viewer, input.group_chat_id)
    const { reading, ...row } = (await chats.readChat(db, asking.viewer.id, id)) ?? refuse('notInEvent')
    const latest = await latestMessages(db, kept, [row], asking)
    const pieces: Buffer[] = []
    addChat(pieces, chatJson(extra ? { ...row, reading } : row, latest, asking.urls))
    return new Ready(alone(pieces))
  })

  serve(contract.countUnread, async ({ db, viewer }) => {
    const rows = await chats.countUnread(db, viewer.id)
    return {
      unread_count: rows.reduce((sum, { unread }) => sum + unread, 0),
      group_chats: rows.map(({ id, unread }) => ({ group_chat_id: id, unread_count: unread })),
    }
  })

  serve(contract.muteChat, async ({ db, viewer, input }) => {
    const { id } = await chatFor(db, viewer, input.group_chat_id)
    await chats.setMuted(db, viewer.id, id, true)
    return { muted: true }
  })

  serve(contract.unmuteChat, async ({ db, viewer, input }) => {
    const { id } = await chatFor(db, viewer, input.group_chat_id)
    await chats.setMuted(db, viewer.id, id, false)
    return { muted: false }
  })

  messageRoutes(serve, { db: database, media, inTurn })
  reactionRoutes(serve, { db: database, inTurn })
  attachmentRoutes(serve, { inTurn })
}
