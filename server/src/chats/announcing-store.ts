import { sql } from 'kysely'
import type { Db, Transaction } from '../platform/database/database.ts'
import { firstRow, run } from '../platform/database/rows.ts'

/** The open chat in which an event's announcements appear; with `any`, the event's chat even if it has ended. */
export const findAnnouncing = (db: Db, eventId: number, { any = false } = {}) =>
  firstRow<{ id: number; event_id: number }>(db)`
    select id, event_id from group_chats where event_id = ${eventId} and (${any} or announces and status = 1)`

export const stands = async (db: Db, messageId: number) =>
  (await sql`select from messages where id = ${messageId} and deleted_at is null`.execute(db)).rows.length > 0

/** For each of these events: do its announcements appear in its chat? */
export const announcing = async (db: Db, eventIds: readonly number[]): Promise<ReadonlyMap<number, boolean>> => {
  const { rows } = await sql<{ event_id: number; announces: boolean }>`
    select event_id, announces from group_chats where event_id = any(${eventIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ event_id, announces }) => [event_id, announces]))
}

export const saveAnnouncing = (tx: Transaction, eventId: number, announces: boolean) =>
  run(tx)`update group_chats set announces = ${announces} where event_id = ${eventId}`

export const copyAnnouncing = (tx: Transaction, fromId: number, toId: number) => run(tx)`
    update group_chats c set announces = before.announces from group_chats before
    where c.event_id = ${toId} and before.event_id = ${fromId}`
