import { sql } from 'kysely'
import { type Database, type Db, transact } from '../platform/database/database.ts'
import { allRows } from '../platform/database/rows.ts'
import { buryMessage } from './messages/change-message.ts'
import { lockChat } from './messages/change-message-store.ts'

/*
 * A person's messages are in the chats of the events they are or were in, and no index leads to them: they are read by
 * ranges of each chat's sequence, so that no statement grows with a chat.
 */

const sequencesAtOnce = 20_000

type Chat = { id: number; event_id: number; last_sequence: number }

export const chatsOf = (db: Db, userId: number) => allRows<Chat>(db)`
    select c.id, c.event_id, c.last_sequence from guests g join group_chats c on c.event_id = g.event_id
    where g.user_id = ${userId} order by c.id`

/** The bounds, both inclusive, of the ranges by which a chat is read. */
export function* rangesOf({ last_sequence }: Chat): Generator<[number, number]> {
  for (let first = 1; first <= last_sequence; first += sequencesAtOnce) yield [first, first + sequencesAtOnce - 1]
}

/** Leaves a tombstone for every message of somebody's, as if they had deleted each. Safe to repeat. */
export const takeMessagesBack = async (db: Database, userId: number): Promise<void> => {
  for (const chat of await chatsOf(db, userId))
    for (const [first, last] of rangesOf(chat)) {
      const { rows } = await sql<{ id: number }>`
        select id from messages where group_chat_id = ${chat.id} and sequence between ${first} and ${last}
          and user_id = ${userId} and deleted_at is null order by sequence`.execute(db)
      for (const { id } of rows)
        await transact(db, async tx => {
          await lockChat(tx, chat.id)
          await buryMessage(tx, { id: userId }, chat, id)
        })
    }
}

/** Removes the user's mutes, and their messages in events that nobody sees any more. */
export const eraseChatTraces = async (db: Database, userId: number): Promise<void> => {
  await sql`delete from chat_mutes where user_id = ${userId}`.execute(db)
  await sql`delete from seen_marks where user_id = ${userId}`.execute(db)
  for (const chat of await chatsOf(db, userId))
    for (const [first, last] of rangesOf(chat))
      await sql`
        update messages m set content = '' from events e
        where m.group_chat_id = ${chat.id} and m.sequence between ${first} and ${last} and m.user_id = ${userId}
          and m.content <> '' and e.id = ${chat.event_id} and e.deleted_at is not null`.execute(db)
}

const messagesAtOnce = 10_000

/** Erases all messages of an erased event. */
export const eraseEventMessages = async (db: Database, eventId: number): Promise<void> => {
  const { rows } = await sql<{ id: number; last_sequence: number }>`
    select id, last_sequence from group_chats where event_id = ${eventId}`.execute(db)
  for (const { id, last_sequence: last } of rows)
    for (let after = 0; after < last; after += messagesAtOnce)
      await sql`
        update messages set content = '' where group_chat_id = ${id} and sequence > ${after}
          and sequence <= ${after + messagesAtOnce} and content <> ''`.execute(db)
}
