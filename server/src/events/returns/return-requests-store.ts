import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, allValues, anyRow, firstRow, firstValue, run } from '../../platform/database/rows.ts'
import { isExtraordinary } from '../standing-sql.ts'
import type { Range } from '../store.ts'

/* The SQL of people in a new browser who say that they are a guest who is there. */

/** As somebody introduces themselves: the last name may be missing. */
export type Introduction = { firstName: string; lastName: string }

/** For a query with `users u`: people who go by this name. */
const isCalled = (first: RawBuilder<unknown>, last: RawBuilder<unknown>) => sql`
  folded(u.first_name) = folded(${first})
  and (u.last_name = '' or ${last} = '' or folded(u.last_name) = folded(${last}))`

/** For a query with `members m join users u`: guests without a password who go by this name. */
const isNamesake = (first: RawBuilder<unknown>, last: RawBuilder<unknown>) => sql`
  not ${isExtraordinary(sql`m.role`)} and u.status = 5 and ${isCalled(first, last)}`

/** For a query with `return_requests r, members m join users u`: somebody whom the one who asks could be. */
export const isCandidate = sql`m.event_id = r.event_id and case when r.asked_by is null
  then ${isNamesake(sql`r.first_name`, sql`r.last_name`)} else m.user_id = r.user_id and u.added_to = r.event_id end`

/** The added people of this name whom nobody has claimed to be, without those that this person has asked about already. */
export const addedNamesakes = (db: Db, eventId: number, userId: number) => allValues<number>(db)`
    select u.id from users u join members m on m.event_id = u.added_to and m.user_id = u.id
      join users me on me.id = ${userId} and me.added_to is null
    where u.added_to = ${eventId} and u.status = 5 and ${isCalled(sql`me.first_name`, sql`me.last_name`)} and not exists (
      select from return_requests r where r.asked_by = me.id and r.user_id = u.id and r.expires_at > now())
    order by u.id`

/** Records that a guest claims to be this person. Returns the ID; undefined if their device is gone. */
export const insertClaim = (
  tx: Transaction,
  {
    eventId,
    userId,
    deviceRow,
    by,
    days,
  }: { eventId: number; userId: number; deviceRow: number; by: number; days: number },
) => firstValue<number>(tx)`
    insert into return_requests (event_id, first_name, last_name, platform, code_hash, expires_at, user_id, asked_by)
    select ${eventId}, me.first_name, me.last_name, d.platform, sha256(gen_random_uuid()::text::bytea),
      now() + make_interval(days => ${days}), ${userId}, me.id
    from users me join devices d on d.id = ${deviceRow} where me.id = ${by} returning id`

export const hasClaimed = (db: Db, by: number, userId: number) => anyRow(db)`
    select from return_requests where asked_by = ${by} and user_id = ${userId} and expires_at > now() limit 1`

/** True if another request already took this person over, who had no device. */
export const isClaimed = (db: Db, id: number, userId: number) => anyRow(db)`
    select from return_requests where user_id = ${userId} and id <> ${id} and claims and expires_at > now() limit 1`

/** True for a person whom an organizer added to the event and nobody has claimed to be. */
export const isAdded = (db: Db, eventId: number, userId: number) => anyRow(db)`
    select from users u join members m on m.user_id = u.id and m.event_id = u.added_to
    where u.id = ${userId} and u.added_to = ${eventId}`

export const hasNamesake = (db: Db, eventId: number, { firstName, lastName }: Introduction) => anyRow(db)`
    select from members m join users u on u.id = m.user_id
    where m.event_id = ${eventId} and ${isNamesake(sql`${firstName}::text`, sql`${lastName}::text`)} limit 1`

export const daysToAnswer = 3

type NewReturnRequest = Introduction & {
  eventId: number
  device: string
  platform: string
  codeHash: Buffer
  days: number
}

/** Returns its ID; undefined if it was asked before. */
export const insertReturn = (tx: Transaction, asked: NewReturnRequest) => firstValue<number>(tx)`
    insert into return_requests (event_id, first_name, last_name, device_id, platform, code_hash, expires_at)
    values (${asked.eventId}, ${asked.firstName}, ${asked.lastName}, nullif(${asked.device}, ''), ${asked.platform}, ${asked.codeHash},
      now() + make_interval(days => ${asked.days}))
    on conflict (code_hash) do nothing returning id`

/** Refuses what was asked under the same name before. Whether there was anything within a day. */
export const replaceEarlier = async (tx: Transaction, id: number) => {
  const { rows } = await sql<{ lately: boolean }>`
    with alike as (
      select e.id, e.status, e.asked_at > now() - interval '1 day' as lately
      from return_requests r join return_requests e on e.event_id = r.event_id and e.id < r.id
        and folded(e.first_name) = folded(r.first_name) and folded(e.last_name) = folded(r.last_name)
      where r.id = ${id}
    ), refused as (
      update return_requests set status = 'refused' where id in (select id from alike where status = 'asked')
    )
    select coalesce(bool_or(lately), false) as lately from alike`.execute(tx)
  return rows[0]?.lately ?? false
}

export type ReturnStatus = 'asked' | 'let_in' | 'refused'
type ReturnState = { status: ReturnStatus; expires_at: Date }

export const findReturnByCode = (db: Db, codeHash: Buffer) => firstRow<ReturnState>(db)`
    select status, expires_at from return_requests where code_hash = ${codeHash} and expires_at > now()`

export type ReturnRow = {
  id: number
  event_id: number
  status: ReturnStatus
  code_hash: Buffer
  user_id: number | null
  asked_by: number | null
  /** True if it comes from a device on which the viewer is signed in. */
  own: boolean
}

export const findReturn = (db: Db, viewerId: number, id: number) => firstRow<ReturnRow>(db)`
    select r.id, r.event_id, r.status, r.code_hash, r.user_id, r.asked_by, exists (
      select from devices d where d.user_id = ${viewerId} and d.device_id = r.device_id) as own
    from return_requests r where r.id = ${id} and r.expires_at > now()`

type Answer = { status: 'let_in' | 'refused'; userId: number | null; by: number }

/** Expects the event to be locked. */
export const answerReturn = (tx: Transaction, id: number, { status, userId, by }: Answer) => run(tx)`
    update return_requests set status = ${status}, user_id = ${userId}::bigint, answered_by = ${by},
      claims = exists (select from users u where u.id = ${userId}::bigint and u.added_to is not null)
    where id = ${id}`

/** Times as JSON has them. */
export type Candidate = { user_id: number; joined_at: string; last_used_at: string | null }
export type WaitingReturn = Introduction & {
  id: number
  platform: string
  asked_at: Date
  asked_by: number | null
  candidates: Candidate[]
}

/** Namesakes are sorted by when they joined, so later ones cannot push an earlier one out of the list. */
const candidatesMax = 20

/**
 * Requests with at least one candidate, oldest first. Names are folded once a person, not once a person and request:
 * 500 requests in an event of 2 500 took PostgreSQL 6 s.
 */
export const listReturns = (db: Db, eventId: number, { offset, limit }: Range) => allRows<WaitingReturn>(db)`
    with asked as materialized (
      select id, asked_by, user_id, folded(first_name) as first, folded(last_name) as last from return_requests
      where event_id = ${eventId} and status = 'asked' and expires_at > now()
    ), people as materialized (
      select m.user_id, m.joined_at, u.added_to, folded(u.first_name) as first, folded(u.last_name) as last
      from members m join users u on u.id = m.user_id
      where m.event_id = ${eventId} and u.status = 5 and not ${isExtraordinary(sql`m.role`)}
    ), found as (
      select r.id, p.user_id, p.joined_at, row_number() over (partition by r.id order by p.joined_at, p.user_id) as nth
      from asked r join people p on case when r.asked_by is null
        then p.first = r.first and (p.last = '' or r.last = '' or p.last = r.last)
        else p.user_id = r.user_id and p.added_to = ${eventId} end
    )
    select r.id, r.first_name as "firstName", r.last_name as "lastName", r.platform, r.asked_at, r.asked_by,
      json_agg(json_build_object('user_id', f.user_id, 'joined_at', f.joined_at, 'last_used_at',
        (select max(d.last_used_at) from devices d where d.user_id = f.user_id)) order by f.nth) as candidates
    from return_requests r join found f on f.id = r.id and f.nth <= ${candidatesMax}
    where r.id in (select distinct id from found order by id offset ${offset} limit ${limit})
    group by r.id order by r.id`
