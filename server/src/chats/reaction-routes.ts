import * as contract from '@afterglow/contract/chats'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentMinimalUser, presentSeenUser } from '../accounts/present-person.ts'
import { readAllAbout, type Seen } from '../notifications/mark-read.ts'
import { batched } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import { livingMessageFor, messageFor } from './access.ts'
import type { Changes } from './change-message.ts'
import * as chats from './chat-list-store.ts'
import { readWithChat } from './notification-templates.ts'
import * as marks from './seen-marks-store.ts'
import { showMessage } from './show-message.ts'
import * as store from './store.ts'

/** What readers do with a message: react to it, and have seen it. */
export const reactionRoutes = (serve: Serve, { db: database, changes }: { db: Database; changes: Changes }) => {
  const moveMark = batched((all: readonly marks.Reading[]) => marks.moveMarks(database, all), {
    most: 128,
    apart: ({ chatId }) => chatId,
  })
  const waitForNotices = batched(
    async (chatIds: readonly number[]) => {
      await marks.waitForNotices(database, chatIds)
      return chatIds
    },
    { most: 128 },
  )
  const readNotices = batched(
    async (all: readonly Seen[]) => {
      await readAllAbout(database, readWithChat, all)
      return all
    },
    { most: 128 },
  )

  serve(contract.listReactedUsers, async ({ db, viewer, input, urls, page }) => {
    const { message } = await livingMessageFor(db, viewer, input.message_id)
    const ids = await store.listReactedUsers(db, message.id, rangeOf(input))
    const persons = await personsById(db, ids)
    return page(ids, id => presentMinimalUser(persons.get(id) as Person, urls))
  })

  serve(contract.reactToMessage, async ({ db, input, ...asking }) => {
    await changes.react(asking.viewer, input.message_id, input.message_reaction)
    return showMessage(db, input.message_id, asking)
  })

  serve(contract.unreactToMessage, async ({ db, input, ...asking }) => {
    await changes.unreact(asking.viewer, input.message_id, input.message_reaction)
    return showMessage(db, input.message_id, asking)
  })

  serve(contract.markSeen, async ({ db, viewer, input }) => {
    const { chat, message } = await messageFor(db, viewer, input.message_id)
    const act = { chatId: chat.id, userId: viewer.id, sequence: message.sequence }
    if (!(await marks.hasReached(db, act))) {
      if (!(await moveMark(act))) refuse('notInEvent')
      await waitForNotices(chat.id)
    }
    await readNotices({ userId: viewer.id, eventId: chat.event_id, subjectIdMax: message.id })
    const row = (await chats.readChat(db, viewer.id, chat.id)) ?? refuse('notInEvent')
    return { group_chat_id: row.id, seen_sequence: row.seen_sequence, unread_count: row.unread }
  })

  serve(contract.listSeen, async ({ db, viewer, input, urls, page }) => {
    const { chat, message } = await messageFor(db, viewer, input.message_id)
    const reached = { chatId: chat.id, sequence: message.sequence, authorId: message.user_id }
    const ids = chat.hides_seen ? [] : await marks.listSeen(db, reached, rangeOf(input))
    const persons = await personsById(db, ids)
    return page(ids, id => presentSeenUser(persons.get(id) as Person, urls))
  })
}
