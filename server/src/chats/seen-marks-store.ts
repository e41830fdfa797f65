import { seensShownMax } from '@afterglow/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../accounts/persons.ts'
import { personBeside } from '../accounts/persons-sql.ts'
import { notifyListeners } from '../log/announce.ts'
import { announced } from '../log/announce-sql.ts'
import type { Database, Db, Transaction } from '../platform/database/database.ts'
import { allRows, allValues, anyRow, run } from '../platform/database/rows.ts'
import type { Range } from './store.ts'

export type SeenMark = { user_id: number; seen_sequence: number }
/** For a row with a user: whether they share what they have read. */
export const shownMark = (row: RawBuilder<unknown>) =>
  sql`not exists (select from users hiding where hiding.id = ${row}.user_id and hiding.hides_seen)`

/** Selects the people who have switched off seen marks. */
export const hidingSeen = async (db: Db, userIds: readonly number[]): Promise<ReadonlySet<number>> => {
  const found = await allValues<number>(db)`
    select id from users where hides_seen and id = any(${userIds}::bigint[])`
  return new Set(found)
}

/** Selects the chats whose events hide their list of guests. */
export const hidingGuests = async (db: Db, chatIds: readonly number[]): Promise<ReadonlySet<number>> => {
  const found = await allValues<number>(db)`
    select c.id from group_chats c join events e on e.id = c.event_id and e.guests_hidden
    where c.id = any(${chatIds}::bigint[])`
  return new Set(found)
}

/** False if it already was so. */
export const setHidesSeen = async (db: Db, userId: number, hides: boolean) => {
  const { numAffectedRows } = await sql`
    update users set hides_seen = ${hides} where id = ${userId} and hides_seen <> ${hides}`.execute(db)
  return numAffectedRows === 1n
}

export type Reading = { chatId: number; userId: number; sequence: number }

/**
 * Moves many marks in one statement and one commit; true for each that is now at least that far. A mark never goes
 * back, and only people in the event have one: their row of `guests` is locked against a removal, before the chats, as
 * everywhere. Each mark that moved is announced, along with how many messages remain unread if it stops short of the
 * newest.
 */
export const moveMarks = async (db: Database, all: readonly Reading[]): Promise<(true | undefined)[]> => {
  const { rows } = await sql<{ chat_id: number; user_id: number }>`
    with asked as materialized (
      select chat_id, user_id, max(sequence) as sequence from unnest(
        ${all.map(one => one.chatId)}::bigint[], ${all.map(one => one.userId)}::bigint[],
        ${all.map(one => one.sequence)}::bigint[]
      ) as asked (chat_id, user_id, sequence) group by chat_id, user_id
    ), readers as materialized (
      select a.*, c.event_id, case
        when e.guests_count <= ${sql.lit(seensShownMax)} and ${shownMark(sql`a`)} then 'event' else 'user' end as audience
      from asked a
      join group_chats c on c.id = a.chat_id
      join events e on e.id = c.event_id
      join members g on g.event_id = c.event_id and g.user_id = a.user_id
      order by g.event_id, g.user_id for share of g
    ), chats as materialized (
      select id, last_sequence from group_chats where id in (select chat_id from readers) order by id for no key update
    ), moved as (
      insert into seen_marks as mark (group_chat_id, user_id, seen_sequence)
      select chat_id, user_id, sequence from readers join chats on chats.id = chat_id
      on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()
      where mark.seen_sequence < excluded.seen_sequence returning group_chat_id, user_id, seen_sequence
    ), ${announced(
      sql`
        select kind, told.audience, m.event_id, case when told.audience = 'user' then m.user_id end, m.user_id, m.chat_id,
          detail
        from moved join readers m on m.chat_id = moved.group_chat_id and m.user_id = moved.user_id
        join chats on chats.id = m.chat_id cross join lateral (
          select 'message.seen' as kind, m.audience, jsonb_build_object('sequence', moved.seen_sequence) as detail
          union all
          select 'group.updated', 'user', null where moved.seen_sequence < chats.last_sequence
        ) told`,
      { notify: false },
    )}
    select chat_id, user_id from readers`.execute(db)
  notifyListeners()
  const up = new Set(rows.map(row => `${row.chat_id} ${row.user_id}`))
  return all.map(({ chatId, userId }) => up.has(`${chatId} ${userId}`) || undefined)
}

// For concurrent notices and reads of a chat's messages: see holdReading.
const noticesOf = (chatIds: readonly number[]) =>
  sql`(select hashtextextended('notices of chat ' || id, 0) as lock from unnest(${chatIds}::bigint[]) id) of_chat`

/**
 * Until the transaction ends, anyone who has moved a mark in these chats waits in `waitForNotices`. Of a concurrent
 * notice and mark, either the notice finds the mark, or the mark's owner finds the notice, and nothing that was read
 * stays unread.
 */
export const holdReading = (tx: Transaction, chatIds: readonly number[]) =>
  run(tx)`select pg_advisory_xact_lock(lock) from ${noticesOf(chatIds)}`

export const waitForNotices = (db: Database, chatIds: readonly number[]) =>
  run(db)`select pg_advisory_xact_lock_shared(lock) from ${noticesOf(chatIds)}`

export type Listener = { user_id: number; read_up_to: number; muted: boolean }

/**
 * The people in these chats, and the sequence up to which messages do not concern them: they have read them or had not
 * joined yet. Ordered by that sequence, so those whom a message concerns come first.
 */
export const listenersOf = async (db: Db, chatIds: readonly number[]) => {
  const { rows } = await sql<Listener & { chat_id: number }>`
    select c.id as chat_id, g.user_id, greatest(g.joined_sequence, s.seen_sequence) as read_up_to,
      q.user_id is not null as muted
    from group_chats c join members g on g.event_id = c.event_id
    left join seen_marks s on s.group_chat_id = c.id and s.user_id = g.user_id
    left join chat_mutes q on q.group_chat_id = c.id and q.user_id = g.user_id
    where c.id = any(${chatIds}::bigint[]) order by read_up_to`.execute(db)
  return Map.groupBy(rows, row => row.chat_id) as ReadonlyMap<number, Listener[]>
}

export const hasReached = (db: Db, { chatId, userId, sequence }: Reading) => anyRow(db)`
    select from seen_marks
    where group_chat_id = ${chatId} and user_id = ${userId} and seen_sequence >= ${sequence}`

/** Everybody whose mark has reached a message, except its author; bounded by the people of one event. */
export const listSeen = (
  db: Db,
  { chatId, sequence, authorId }: { chatId: number; sequence: number; authorId: number },
  { offset, limit }: Range,
) => allRows<Person>(db)`
    select u.id, ${personBeside} from seen_marks s join users u on u.id = s.user_id and not u.hides_seen
    where s.group_chat_id = ${chatId} and s.seen_sequence >= ${sequence} and s.user_id <> ${authorId}
    order by s.seen_sequence desc, s.user_id offset ${offset} limit ${limit}`

/** The marks that have reached a message, except its author's, the furthest first. `marks` are sorted like this. */
export const reaching = (
  { sequence, user_id: authorId }: { sequence: number; user_id: number },
  marks: readonly SeenMark[],
): number[] => {
  const people: number[] = []
  for (const { user_id, seen_sequence } of marks) {
    if (seen_sequence < sequence || people.length === seensShownMax) break
    if (user_id !== authorId) people.push(user_id)
  }
  return people
}
