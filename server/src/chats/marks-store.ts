import { seensShownMax } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import type { Database, Db } from '../platform/database.ts'
import type { Range } from './store.ts'

/* The SQL of seen marks: how far each person in a chat has read. */

export type SeenMark = { user_id: number; seen_sequence: number }
export type Reading = { chatId: number; userId: number; sequence: number }

/**
 * Moves many marks forward in one statement and one commit; true for each that is up there now. A mark never goes back,
 * and only who is in the event has one: their row of `guests` is held against a removal, before the chats, as everywhere.
 */
export const moveMarks = async (db: Database, all: readonly Reading[]): Promise<(true | undefined)[]> => {
  const { rows } = await sql<{ chat_id: number; user_id: number }>`
    with asked as materialized (
      select chat_id, user_id, max(sequence) as sequence from unnest(
        ${all.map(one => one.chatId)}::bigint[], ${all.map(one => one.userId)}::bigint[],
        ${all.map(one => one.sequence)}::bigint[]
      ) as asked (chat_id, user_id, sequence) group by chat_id, user_id
    ), members as materialized (
      select a.* from asked a
      join group_chats c on c.id = a.chat_id
      join guests g on g.event_id = c.event_id and g.user_id = a.user_id
      where g.ended_at is null order by g.event_id, g.user_id for share of g
    ), chats as materialized (
      select id from group_chats where id in (select chat_id from members) order by id for no key update
    ), moved as (
      insert into seen_marks as mark (group_chat_id, user_id, seen_sequence)
      select chat_id, user_id, sequence from members join chats on chats.id = chat_id
      on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()
      where mark.seen_sequence < excluded.seen_sequence returning group_chat_id
    ), raised as (
      update group_chats set seen_version = seen_version + 1 where id in (select group_chat_id from moved)
    )
    select chat_id, user_id from members`.execute(db)
  const up = new Set(rows.map(row => `${row.chat_id} ${row.user_id}`))
  return all.map(({ chatId, userId }) => up.has(`${chatId} ${userId}`) || undefined)
}

/** Whether a person's mark is up there already. */
export const hasReached = async (db: Db, { chatId, userId, sequence }: Reading) => {
  const { rows } = await sql`
    select from seen_marks
    where group_chat_id = ${chatId} and user_id = ${userId} and seen_sequence >= ${sequence}`.execute(db)
  return rows.length > 0
}

/**
 * The furthest marks of each chat that reach its oldest message asked for, furthest first. One more than a message shows,
 * as it leaves its author out: so one range of the index serves every message of a page.
 */
export const furthestMarks = async (
  db: Db,
  oldest: readonly { chatId: number; from: number }[],
): Promise<SeenMark[][]> => {
  const { rows } = await sql<SeenMark & { n: number }>`
    select asked.n, m.user_id, m.seen_sequence
    from unnest(${oldest.map(({ chatId }) => chatId)}::bigint[], ${oldest.map(({ from }) => from)}::bigint[])
      with ordinality as asked (chat_id, sequence, n),
      lateral (
        select * from seen_marks where group_chat_id = asked.chat_id and seen_sequence >= asked.sequence
        order by seen_sequence desc, user_id limit ${sql.lit(seensShownMax + 1)}
      ) m
    order by asked.n, m.seen_sequence desc, m.user_id`.execute(db)
  const found = oldest.map((): SeenMark[] => [])
  for (const { n, ...mark } of rows) found[n - 1]?.push(mark)
  return found
}

/** Everybody whose mark has reached a message, its author left out; bounded by the people of one event. */
export const listSeen = async (
  db: Db,
  { chatId, sequence, authorId }: { chatId: number; sequence: number; authorId: number },
  { offset, limit }: Range,
) => {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from seen_marks
    where group_chat_id = ${chatId} and seen_sequence >= ${sequence} and user_id <> ${authorId}
    order by seen_sequence desc, user_id offset ${offset} limit ${limit}`.execute(db)
  return rows.map(row => row.user_id)
}
