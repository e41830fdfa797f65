import * as contract from '@afterglow/contract/chats'
import type { Database } from '../platform/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Media } from '../platform/media/records.ts'
import { chatFor } from './access.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import * as chats from './chats-store.ts'
import { KeptLatest } from './kept-latest.ts'
import { messageRoutes } from './message-routes.ts'
import { presentChatExtra } from './present.ts'
import { reactionRoutes } from './reaction-routes.ts'
import { showingChats } from './showing.ts'
import { openTurns } from './turns.ts'

export const chatRoutes = (serve: Serve, { db: database, media }: { db: Database; media: Media }) => {
  const inTurn = openTurns()
  const kept = new KeptLatest()

  serve(contract.listChats, async ({ db, input, page, extra, ...asking }) => {
    const { viewer } = asking
    if (!extra) {
      const rows = await chats.listChats(db, viewer.id, rangeOf(input))
      return page(rows, await showingChats(db, kept, rows, asking))
    }
    const rows = await chats.listChatsWithReading(db, viewer.id, rangeOf(input))
    const present = await showingChats(db, kept, rows, asking)
    return page(rows, row => ({ ...present(row), extra: presentChatExtra(row) }))
  })

  serve(contract.readChat, async ({ db, input, extra, ...asking }) => {
    const { id } = await chatFor(db, asking.viewer, input.group_chat_id)
    const row = (await chats.readChat(db, asking.viewer.id, id)) ?? refuse('notInEvent')
    const shown = (await showingChats(db, kept, [row], asking))(row)
    return extra ? { ...shown, extra: presentChatExtra(row) } : shown
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
