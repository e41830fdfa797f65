import { sql } from 'kysely'
import { notSuspended, type Person, personBeside } from '../accounts/persons.ts'
import type { Db, Transaction } from '../platform/database.ts'
import { leaveGap, pageStart, rowsToFetch } from '../platform/sequence-pages.ts'
import type { Standing } from './standing.ts'
import type { Range } from './store.ts'

/*
 * The SQL of who is, was or asks to be in an event. Writes expect the event to be locked (lockEvent). They take the time
 * after that wait, so that newcomers stand behind everybody whom a page has shown: now() is when a transaction began.
 */

const userIds = async (query: Promise<{ rows: { user_id: number }[] }>) => (await query).rows.map(row => row.user_id)

/** See lockStanding in access.ts. The lock is on the one row, so that after a wait its newest version decides. */
export const lockStanding = async (tx: Transaction, userId: number, eventId: number): Promise<Standing> => {
  const inside = await sql<{ organizer: boolean }>`
    select g.organizer from guests g join events e on e.id = g.event_id
    where g.event_id = ${eventId} and g.user_id = ${userId} and g.ended_at is null and e.deleted_at is null
      and ${notSuspended(userId)}
    for share of g`.execute(tx)
  if (inside.rows[0]) return inside.rows[0].organizer ? 'organizer' : 'guest'
  const outside = await sql<{ standing: Standing }>`
    select s.standing from standings s join events e on e.id = s.event_id
    where s.event_id = ${eventId} and s.user_id = ${userId} and e.deleted_at is null
      and s.standing not in ('organizer', 'guest') and ${notSuspended(userId)}`.execute(tx)
  return outside.rows[0]?.standing ?? 'none'
}

// ---- coming in and going out ----

/** Makes guests of those who are not in; a returning one keeps their row and its count of photos. Returns whom. */
export const addGuests = (tx: Transaction, eventId: number, ids: readonly number[]) =>
  userIds(
    sql<{ user_id: number }>`
      insert into guests (event_id, user_id, joined_at, joined_sequence)
      select c.event_id, joining.id, clock_timestamp(), c.last_sequence
      from group_chats c cross join unnest(${ids}::bigint[]) joining (id)
      where c.event_id = ${eventId}
      on conflict (event_id, user_id) do update set organizer = false, removed = false, ended_at = null,
        joined_at = excluded.joined_at, joined_sequence = excluded.joined_sequence
      where guests.ended_at is not null
      returning user_id`.execute(tx),
  )

export const addToGuestsCount = (tx: Transaction, eventId: number, more: number) =>
  sql`update events set guests_count = guests_count + ${more} where id = ${eventId}`.execute(tx)

/** Ends what a member is to the event, and every media URL that anybody holds. False when they were not in. */
export const endGuest = async (tx: Transaction, eventId: number, userId: number, { removed }: { removed: boolean }) => {
  const ended = await tx
    .updateTable('guests')
    .set({ ended_at: sql`now()`, removed, organizer: false })
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return false
  await sql`
    update events set guests_count = guests_count - 1, media_epoch = media_epoch + 1 where id = ${eventId}`.execute(tx)
  // Waits for messages under way: who holds the chat's lock may rely on a membership read after taking it.
  await sql`select from group_chats where event_id = ${eventId} for no key update`.execute(tx)
  return true
}

/** Whether they are out because an organizer took them out, whatever they asked for since. */
export const wasRemoved = async (db: Db, eventId: number, userId: number) =>
  (await db
    .selectFrom('guests')
    .select('removed')
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .where('removed', '=', true)
    .executeTakeFirst()) !== undefined

// ---- guests ----

const guestColumns = ['user_id', 'organizer', 'joined_at'] as const

export const findGuest = (db: Db, eventId: number, userId: number) =>
  db
    .selectFrom('guests')
    .select(guestColumns)
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

export type GuestRow = NonNullable<Awaited<ReturnType<typeof findGuest>>>

type Pair = { eventId: number; userId: number }

/** Those of the pairs who are in, each with the event's count of guests, by `eventId userId`. */
export const guestsByIds = async (db: Db, pairs: readonly Pair[]) => {
  const { rows } = await sql<GuestRow & { event_id: number; guests_count: number }>`
    select g.event_id, g.user_id, g.organizer, g.joined_at, e.guests_count
    from (select distinct * from unnest(${pairs.map(pair => pair.eventId)}::bigint[],
      ${pairs.map(pair => pair.userId)}::bigint[]) asked (event_id, user_id)) asked
    join guests g using (event_id, user_id) join events e on e.id = g.event_id
    where g.ended_at is null and e.deleted_at is null`.execute(db)
  return new Map(rows.map(row => [`${row.event_id} ${row.user_id}`, row]))
}

/** Everybody in an event. */
export const idsOfMembers = (db: Db, eventId: number) =>
  userIds(
    sql<{ user_id: number }>`
      select user_id from guests where event_id = ${eventId} and ended_at is null`.execute(db),
  )

/** Those of the ids who are in the event or wait to be let in: its organizers see them listed. */
export const inOrAsking = async (db: Db, eventId: number, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set(
    await userIds(
      sql<{ user_id: number }>`
        select user_id from standings
        where event_id = ${eventId} and user_id = any(${ids}::bigint[]) and standing in ('organizer', 'guest', 'asked')`.execute(
        db,
      ),
    ),
  )

/** Those of the ids who are or were in the event: what they did there bears their names. */
export const everIn = async (db: Db, eventId: number, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set(
    await userIds(
      sql<{ user_id: number }>`
        select user_id from guests where event_id = ${eventId} and user_id = any(${ids}::bigint[])`.execute(db),
    ),
  )

/** Undefined when they are not in. */
export const setOrganizer = (tx: Transaction, eventId: number, userId: number, organizer: boolean) =>
  tx
    .updateTable('guests')
    .set({ organizer })
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .returning(guestColumns)
    .executeTakeFirst()

/** Organizers first, then in the order they joined. */
export const listGuests = (db: Db, eventId: number, { offset, limit }: Range) =>
  db
    .selectFrom('guests')
    .select(guestColumns)
    .where('event_id', '=', eventId)
    .where('ended_at', 'is', null)
    .orderBy('organizer', 'desc')
    .orderBy('joined_at')
    .orderBy('user_id')
    .offset(offset)
    .limit(limit)
    .execute()

// ---- join requests ----

/** Asks, or asks again, at the end of the line. Expects that they do not stand in it. */
export const addJoinRequest = (tx: Transaction, eventId: number, userId: number) =>
  sql`
    with line as (
      update events set last_asked_sequence = last_asked_sequence + 1 where id = ${eventId}
      returning last_asked_sequence as sequence
    )
    insert into join_requests (event_id, user_id, status, sequence, asked_at)
    select ${eventId}, ${userId}, 'asked', sequence, clock_timestamp() from line
    on conflict (event_id, user_id) do update set status = 'asked', sequence = excluded.sequence,
      asked_at = excluded.asked_at, answered_at = null, answered_by = null`.execute(tx)

export type JoinAnswer = { status: 'approved' | 'rejected' | 'withdrawn'; by: number }

const waiting = 'join requests'

/** Answers the open requests of these people; returns who had asked. */
export const answerJoinRequests = async (
  tx: Transaction,
  eventId: number,
  ids: readonly number[],
  answer: JoinAnswer,
) => {
  const { rows } = await sql<{ user_id: number; sequence: number }>`
    update join_requests set status = ${answer.status}, answered_at = now(), answered_by = ${answer.by}
    where event_id = ${eventId} and user_id = any(${ids}::bigint[]) and status = 'asked'
    returning user_id, sequence`.execute(tx)
  for (const { sequence } of rows) await leaveGap(tx, { list: waiting, parentId: eventId }, sequence)
  return rows.map(row => row.user_id)
}

/** Who waits, the longest first, for an organizer of the event; nobody for anybody else. */
export const listWaiting = async (db: Db, viewerId: number, eventId: number, { offset, limit }: Range) => {
  const line = sql`join_requests where event_id = ${eventId} and status = 'asked'`
  const start = pageStart({ list: waiting, parentId: eventId, rows: line, offset })
  const { rows } = await sql<Person>`
    select page.* from (
      select e.id from events e
      join guests g on g.event_id = e.id and g.user_id = ${viewerId} and g.ended_at is null and g.organizer
      where e.id = ${eventId} and e.deleted_at is null limit 1
    ) organized cross join lateral (
      select u.id, ${personBeside}, r.sequence
      from (select user_id, sequence from ${line} and sequence >= ${start} order by sequence limit ${rowsToFetch(limit)}) r
      join users u on u.id = r.user_id
    ) page order by page.sequence`.execute(db)
  return rows.slice(0, limit)
}
