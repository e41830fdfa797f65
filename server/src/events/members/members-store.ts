import {
  type Capability,
  ordinary,
  type Role,
  type RoleOfPeople,
  type Standing,
} from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import { notSuspended } from '../../accounts/persons-sql.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, anyRow, firstRow, run } from '../../platform/database/rows.ts'
import type { InEvent, Manageable } from '../standing.ts'
import { isExtraordinary, roleMay } from '../standing-sql.ts'
import type { EventRow, Range } from '../store.ts'

/*
 * The SQL of who is or was in an event. Writes expect the event to be locked (lockEvent). They take the
 * time after that wait, so that newcomers come after everybody whom a page has already shown: now() is when the
 * transaction began.
 */

const userIds = async (query: Promise<{ rows: { user_id: number }[] }>) => (await query).rows.map(row => row.user_id)

/** See lockStanding in access.ts. The lock is on this one row, so that after a wait its newest version decides. */
export const lockStanding = async (tx: Transaction, userId: number, eventId: number): Promise<Standing> => {
  const inside = await sql<{ role: Role }>`
    select g.role from guests g join events e on e.id = g.event_id
    where g.event_id = ${eventId} and g.user_id = ${userId} and g.ended_at is null and e.deleted_at is null
      and ${notSuspended(userId)}
    for share of g`.execute(tx)
  if (inside.rows[0]) return inside.rows[0].role
  const outside = await sql<{ standing: Standing }>`
    select s.standing from standings s join events e on e.id = s.event_id
    where s.event_id = ${eventId} and s.user_id = ${userId} and e.deleted_at is null
      and not ${roleMay(sql`s.standing`, 'read')} and ${notSuspended(userId)}`.execute(tx)
  return outside.rows[0]?.standing ?? 'none'
}

// ---- coming in and going out ----

/**
 * Makes guests of those who are not in the event; a returning one keeps their row and photo count. `linkId`:
 * the link they came by. Returns their IDs.
 */
export const addGuests = (tx: Transaction, eventId: number, ids: readonly number[], linkId: number | null) =>
  userIds(
    sql<{ user_id: number }>`
      insert into guests (event_id, user_id, link_id, joined_at, joined_sequence)
      select c.event_id, joining.id, ${linkId}::bigint, clock_timestamp(), c.last_sequence
      from group_chats c cross join unnest(${ids}::bigint[]) joining (id)
      where c.event_id = ${eventId}
      on conflict (event_id, user_id) do update set role = ${sql.lit(ordinary)}, removed = false, ended_at = null, link_id = excluded.link_id, away_id = null,
        photographs_by = ${stillPhotographsBy}, trusted = guests.trusted and guests.ended_at is null,
        joined_at = excluded.joined_at, joined_sequence = excluded.joined_sequence
      where guests.ended_at is not null or ${onlyAdds}
      returning user_id`.execute(tx),
  )

/** True for a row of `guests` of somebody who only adds photos by a link, and is none of the event's people. */
const onlyAdds = sql`guests.role = 'drop'`

/** A photographer remains one when joining by another link, but not when coming back. */
const stillPhotographsBy = sql`case when guests.ended_at is null then guests.photographs_by end`

type ByLink = { id: number; photographer: boolean }

/** Lets somebody who is not in the event add photos by a link, perhaps as its photographer. */
export const addAdder = (tx: Transaction, eventId: number, userId: number, { id, photographer }: ByLink) => run(tx)`
    insert into guests (event_id, user_id, role, link_id, photographs_by, joined_at)
    values (${eventId}, ${userId}, 'drop', ${id}, ${photographer ? id : null}::bigint, clock_timestamp())
    on conflict (event_id, user_id) do update set role = 'drop', removed = false, ended_at = null,
      photographs_by = coalesce(excluded.photographs_by, ${stillPhotographsBy}), link_id = excluded.link_id, away_id = null,
      joined_at = excluded.joined_at
    where guests.ended_at is not null or ${onlyAdds}`

export const addsBy = (db: Db, eventId: number, userId: number, linkId: number) => anyRow(db)`
    select from guests where event_id = ${eventId} and user_id = ${userId} and ended_at is null and ${onlyAdds}
      and link_id = ${linkId}`

/** Somebody in the event is its photographer by a link from now on, and otherwise what they were. False if they were. */
export const setPhotographer = async (tx: Transaction, eventId: number, userId: number, linkId: number) => {
  const { numAffectedRows } = await sql`
    update guests set photographs_by = ${linkId}
    where event_id = ${eventId} and user_id = ${userId} and ended_at is null and photographs_by is distinct from ${linkId}`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** Nobody is the photographer by this link any more. Returns those who are still in the event. */
export const endPhotographers = async (tx: Transaction, linkId: number) => {
  const { rows } = await sql<{ user_id: number; inside: boolean }>`
    update guests set photographs_by = null where photographs_by = ${linkId} and away_id is null
    returning user_id, ended_at is null as inside`.execute(tx)
  return rows.filter(({ inside }) => inside).map(({ user_id }) => user_id)
}

/** Links that expired while people still add photos by them. */
export const dueAdders = `
  select l.id, l.event_id, l.viewer_id from event_links l join events e on e.id = l.event_id and e.deleted_at is null
  where l.role = 'drop' and l.revoked_at is null and l.expires_at between now() - interval '30 days' and now() and (
    exists (select from guests g where g.link_id = l.id and g.role = 'drop' and g.ended_at is null)
    or exists (select from guests g where g.photographs_by = l.id and g.away_id is null))`

export const expiredForAdding = async (db: Db) =>
  (await sql<{ id: number; event_id: number; viewer_id: null }>`${sql.raw(dueAdders)} order by l.event_id`.execute(db))
    .rows

/** Takes one of them out, or all who came by a link. Returns them. */
export const endAdders = (
  tx: Transaction,
  eventId: number,
  of: { userId: number; removed: boolean } | { linkId: number },
) =>
  userIds(
    sql<{ user_id: number }>`
      update guests set ended_at = now(), removed = ${'userId' in of && of.removed},
        role = ${'userId' in of && of.removed ? sql`role` : sql.lit(ordinary)}
      where event_id = ${eventId} and ended_at is null and ${onlyAdds}
        and ${'userId' in of ? sql`user_id = ${of.userId}` : sql`link_id = ${of.linkId}`}
      returning user_id`.execute(tx),
  )

/** People who are in no event any more, neither as guests nor to add photos. */
export const inNoEvent = async (tx: Transaction, ids: readonly number[]) =>
  userIds(
    sql<{ user_id: number }>`
      select came.user_id from unnest(${ids}::bigint[]) came (user_id) where not exists (
        select from guests g where g.user_id = came.user_id and g.ended_at is null)`.execute(tx),
  )

/** Added people whose event is erased, or whose removal from it cannot be undone any more. */
export const addedInNoEvent = (db: Db) =>
  userIds(
    sql<{ user_id: number }>`
      select u.id as user_id from users u where u.added_to is not null and u.erase_at is null and not exists (
        select from guests g join events e on e.id = g.event_id
        where g.user_id = u.id and e.erased_at is null and (g.ended_at is null or g.ended_at > now() - interval '1 day'))
      order by u.id limit 1000`.execute(db),
  )

/** Takes out all who add photos by a link, until that is undone: then they add them again. Returns them. */
export const sendAddersAway = (
  tx: Transaction,
  eventId: number,
  { linkId, awayId }: { linkId: number; awayId: number },
) =>
  userIds(
    sql<{ user_id: number }>`
      update guests set ended_at = now(), removed = true, away_id = ${awayId}
      where event_id = ${eventId} and ended_at is null and ${onlyAdds} and link_id = ${linkId} returning user_id`.execute(
      tx,
    ),
  )

export const addToGuestsCount = (tx: Transaction, eventId: number, more: number) =>
  run(tx)`update events set guests_count = guests_count + ${more} where id = ${eventId}`

/** Ends a membership, and with it every media URL that this person holds. False if they were not in the event. */
export const endGuest = async (tx: Transaction, eventId: number, userId: number, { removed }: { removed: boolean }) => {
  if ((await endAdders(tx, eventId, { userId, removed })).length > 0) return true
  const ended = await tx
    .updateTable('guests')
    .set({ ended_at: sql`now()`, removed, role: ordinary })
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return false
  await sql`
    update events set guests_count = guests_count - 1, departures = departures + 1 where id = ${eventId}`.execute(tx)
  await awaitMessages(tx, eventId)
  return true
}

/** Their likes, reactions and votes count no more, and are kept for a day. Expects the locks of the event and its chat. */
export const takeMarksAway = (tx: Transaction, eventId: number, ids: readonly number[]) =>
  run(tx)`select take_marks_away(${eventId}, ${ids}::bigint[])`

/**
 * Brings somebody back whom an organizer removed within a day, unless the link by which they only added photos is
 * closed. Undefined if that is not so; otherwise whether they are a guest again.
 */
export const bringBack = async (tx: Transaction, eventId: number, userId: number) => {
  const { rows } = await sql<{ is_guest: boolean }>`
    update guests set ended_at = null, removed = false, away_id = null
    from users u
    where event_id = ${eventId} and user_id = ${userId} and removed and ended_at > now() - interval '1 day'
      and u.id = user_id and u.erased_at is null
      and (not ${onlyAdds} or exists (select from event_links l where l.id = link_id and l.revoked_at is null))
    returning ${roleMay(sql`role`, 'read')} as is_guest`.execute(tx)
  if (rows[0]?.is_guest) await addToGuestsCount(tx, eventId, 1)
  return rows[0]?.is_guest
}

/** Their answers, likes, reactions and votes count again. Comes once they are back. */
export const bringBackWhatWasTheirs = (tx: Transaction, eventId: number, userIds: readonly number[]) => run(tx)`
    select bring_answers_back(${eventId}, ${userIds}::bigint[]), bring_marks_back(${eventId}, ${userIds}::bigint[])`

/** Waits for messages in progress: a holder of the chat's lock may rely on a membership read after taking it. */
export const awaitMessages = (tx: Transaction, eventId: number) =>
  run(tx)`select from group_chats where event_id = ${eventId} for no key update`

/** True if an organizer removed them, regardless of any request since. */
export const wasRemoved = async (db: Db, eventId: number, userId: number) =>
  (await db
    .selectFrom('guests')
    .select('removed')
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .where('removed', '=', true)
    .executeTakeFirst()) !== undefined

/** True if they left by themselves. */
export const hasLeft = (db: Db, eventId: number, userId: number) => anyRow(db)`
    select from guests g join events e on e.id = g.event_id and e.deleted_at is null
    where g.event_id = ${eventId} and g.user_id = ${userId} and g.ended_at is not null and not g.removed`

/** Gives a guest the answer of the added person whom they claimed to be. */
export const claimAnswer = (tx: Transaction, eventId: number, { added, by }: { added: number; by: number }) =>
  run(tx)`select claim_answer(${eventId}, ${added}, ${by})`

// ---- guests ----

export type GuestRow = { user_id: number; role: RoleOfPeople; joined_at: Date }

const guestColumns = sql`m.user_id, m.role, m.joined_at`

export const findGuest = (db: Db, eventId: number, userId: number) => firstRow<GuestRow>(db)`
    select ${guestColumns} from members m where event_id = ${eventId} and user_id = ${userId}`

type Pair = { eventId: number; userId: number }

/** Guests among the pairs, each with the event's guest count, by `eventId userId`. */
export const guestsByIds = async (db: Db, pairs: readonly Pair[]) => {
  const { rows } = await sql<GuestRow & { event_id: number; guests_count: number; guests_hidden: boolean }>`
    select m.event_id, ${guestColumns}, e.guests_count, e.guests_hidden
    from (select distinct * from unnest(${pairs.map(pair => pair.eventId)}::bigint[],
      ${pairs.map(pair => pair.userId)}::bigint[]) asked (event_id, user_id)) asked
    join members m using (event_id, user_id) join events e on e.id = m.event_id
    where e.deleted_at is null`.execute(db)
  return new Map(rows.map(row => [`${row.event_id} ${row.user_id}`, row]))
}

/** The people in these events with one of these usernames, which are in lower case. */
export const membersNamed = (db: Db, names: readonly string[], eventIds: readonly number[], may: Capability) =>
  allRows<{ event_id: number; user_id: number; name: string }>(db)`
    select m.event_id, m.user_id, lower(u.username) as name from users u join members m on m.user_id = u.id
    where lower(u.username) = any(${names}::text[]) and m.event_id = any(${eventIds}::bigint[])
      and ${roleMay(sql`m.role`, may)}`

/** Everybody in an event. */
export const idsOfMembers = (db: Db, eventId: number) =>
  userIds(
    sql<{ user_id: number }>`
      select user_id from members where event_id = ${eventId}`.execute(db),
  )

/** People in the event or waiting to be admitted: its organizers see them listed. */
export const inOrAsking = async (db: Db, eventId: number, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set(
    await userIds(
      sql<{ user_id: number }>`
        select user_id from standings
        where event_id = ${eventId} and user_id = any(${ids}::bigint[])
          and (${roleMay(sql`standing`, 'read')} or standing = 'asked')`.execute(db),
    ),
  )

/** People who are or were in the event: their acts there carry their names. */
export const everIn = async (db: Db, eventId: number, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set(
    await userIds(
      sql<{ user_id: number }>`
        select user_id from guests where event_id = ${eventId} and user_id = any(${ids}::bigint[])`.execute(db),
    ),
  )

/** Undefined if they are not in it. The owner's role changes with `passOwnership` alone. */
export const setRole = (
  tx: Transaction,
  { id: eventId }: EventRow & Manageable,
  userId: number,
  role: Exclude<RoleOfPeople, 'owner'>,
) => firstRow<GuestRow>(tx)`
    update members m set role = ${role === ordinary ? roleOfGuest : role} where event_id = ${eventId} and user_id = ${userId}
    returning ${guestColumns}`

/** For a person whose invitation, accepted just now, names this role. */
export const giveRole = (tx: Transaction, eventId: number, userId: number, role: Exclude<RoleOfPeople, 'owner'>) =>
  run(tx)`update members set role = ${role} where event_id = ${eventId} and user_id = ${userId}`

const roleOfGuest = sql`role_of_guest(event_id, user_id)`

/** Gives guests, one or all of an event, the role that follows from their answers; returns those who have another now. */
export const settleRoles = (tx: Transaction, eventId: number, userId?: number) =>
  userIds(
    sql<{ user_id: number }>`
      update members set role = ${roleOfGuest}
      where event_id = ${eventId} and not ${isExtraordinary(sql`role`)} and role <> ${roleOfGuest}
        ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
      returning user_id`.execute(tx),
  )

/**
 * Organizers first, then in the order they joined. With a name, those whose name line has each of its words at the
 * beginning of a word; the lines of an event are read from their index. Without `all`, organizers and the viewer alone.
 */
export const listGuests = async (
  db: Db,
  { id: eventId }: EventRow & InEvent,
  { name, seenBy, all }: { name: string | undefined; seenBy: number; all: boolean },
  { offset, limit }: Range,
) => {
  const named = sql`and user_id in (
    select l.user_id from guest_lines l where l.event_id = ${eventId} and ${isNamed(name ?? '')})`
  return allRows<GuestRow>(db)`
    select ${guestColumns} from members m where event_id = ${eventId} ${name === undefined ? sql`` : named}
      ${all ? sql`` : sql`and (${isExtraordinary(sql`m.role`)} or user_id = ${seenBy})`}
    order by ${isExtraordinary(sql`m.role`)} desc, joined_at, user_id offset ${offset} limit ${limit}`
}

/** Or the username begins with the whole of it. */
const isNamed = (name: string) => sql`(
  words_of(${name}, 6) <> '{}'
    and ' ' || l.found_by like all (array(select '% ' || word || '%' from unnest(words_of(${name}, 6)) word))
  or strpos(' ' || l.found_by, ' ' || ltrim(folded(${name}), '@')) > 0)`
