import { audit } from '../events/audit/audit.ts'
import type { MovedEvent } from '../events/event-parts.ts'
import { movedWith } from '../events/local-time.ts'
import { announce } from '../log/announce.ts'
import { type Database, type Db, type Transaction, transact } from '../platform/database/database.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { chatFor, holdChat, moderated } from './access.ts'
import * as store from './end-chat-store.ts'

/** Ends the chat now or at a later time; repeating it has no effect. */
export const endChat = (db: Db, viewer: Viewer, chatId: number, from: Date | undefined): Promise<void> =>
  change(db, viewer, chatId, 'chat.ended', tx => store.endChat(tx, chatId, from))

/** Reopens the chat; repeating it has no effect. */
export const reopenChat = (db: Db, viewer: Viewer, chatId: number): Promise<void> =>
  change(db, viewer, chatId, 'chat.reopened', tx => store.reopenChat(tx, chatId))

/** Moves the planned end when the event moves. An ended chat stays ended. */
export const moveEnd = async (tx: Transaction, { from, to }: MovedEvent): Promise<void> => {
  const end = await store.plannedEnd(tx, from.id)
  if (end) await store.planEnd(tx, to.id, movedWith(from, to).moment(end))
}

const change = (
  db: Db,
  viewer: Viewer,
  chatId: number,
  act: 'chat.ended' | 'chat.reopened',
  write: (tx: Transaction) => Promise<boolean>,
) =>
  transact(db, async tx => {
    const chat = await chatFor(tx, viewer, chatId)
    await holdChat(tx, viewer, chat)
    moderated(await chatFor(tx, viewer, chatId))
    if (!(await write(tx))) return
    await audit(tx, viewer, { act, eventId: chat.event_id, subjectId: chatId })
    await announce(tx, changed({ ...chat, actorId: viewer.id }))
  })

export const endDueChats = (db: Database) => async (): Promise<void> =>
  transact(db, async tx => {
    const due = await store.endDueChats(tx)
    await announce(
      tx,
      due.map(chat => changed({ ...chat, actorId: chat.created_by })),
    )
  })

const changed = ({ id, event_id: eventId, actorId }: { id: number; event_id: number; actorId: number }) =>
  ({ kind: 'group.updated', audience: 'event', eventId, actorId, subjectId: id }) as const
