import { groupChatStatus } from '@afterglow/contract/chats'
import { sql } from 'kysely'
import type { Transaction } from '../platform/database/database.ts'
import { allRows, run } from '../platform/database/rows.ts'

const open = sql.lit(groupChatStatus.open)
const readOnly = sql.lit(groupChatStatus.readOnly)

export const endChat = async (tx: Transaction, chatId: number, from: Date | undefined) => {
  const isToCome = sql`coalesce(${from ?? null}::timestamptz > now(), false)`
  const { numAffectedRows } = await sql`
    update group_chats set status = case when ${isToCome} then status else ${readOnly} end,
      read_only_from = case when ${isToCome} then ${from ?? null}::timestamptz end
    where id = ${chatId} and status = ${open}
      and not (${isToCome} and read_only_from is not distinct from ${from ?? null}::timestamptz)`.execute(tx)
  return numAffectedRows === 1n
}

/** The planned end of an event's chat; null if none is planned, or the chat has ended. */
export const plannedEnd = async (tx: Transaction, eventId: number) => {
  const { rows } = await sql<{ read_only_from: Date | null }>`
    select read_only_from from group_chats where event_id = ${eventId} and status = ${open}`.execute(tx)
  return rows[0]?.read_only_from ?? null
}

export const planEnd = (tx: Transaction, eventId: number, from: Date) =>
  run(tx)`update group_chats set read_only_from = ${from} where event_id = ${eventId} and status = ${open}`

export const reopenChat = async (tx: Transaction, chatId: number) => {
  const { numAffectedRows } = await sql`
    update group_chats set status = ${open}, read_only_from = null
    where id = ${chatId} and (status = ${readOnly} or (status = ${open} and read_only_from is not null))`.execute(tx)
  return numAffectedRows === 1n
}

export const dueEnd = `select from group_chats where status = ${groupChatStatus.open} and read_only_from <= now()`

export const endDueChats = (tx: Transaction) => allRows<{ id: number; event_id: number; created_by: number }>(tx)`
    update group_chats c set status = ${readOnly}, read_only_from = null
    from events e where e.id = c.event_id and c.status = ${open} and c.read_only_from <= now()
    returning c.id, c.event_id, e.created_by`
