import { sql } from 'kysely'
import type { Person } from '../../accounts/persons.ts'
import { personBeside } from '../../accounts/persons-sql.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { anyRow, run } from '../../platform/database/rows.ts'
import { leaveGap, pageStart, rowsToFetch } from '../../platform/database/sequence-pages.ts'
import { roleMay } from '../standing-sql.ts'
import type { Range } from '../store.ts'

/* The SQL of who asks to join an event. Writes expect the event to be locked (lockEvent). */

/** Asks, or asks again, at the end of the queue. Expects them not to be in it. */
export const addJoinRequest = (tx: Transaction, eventId: number, userId: number) => run(tx)`
    with line as (
      update events set last_asked_sequence = last_asked_sequence + 1 where id = ${eventId}
      returning last_asked_sequence as sequence
    )
    insert into join_requests (event_id, user_id, status, sequence, asked_at)
    select ${eventId}, ${userId}, 'asked', sequence, clock_timestamp() from line
    on conflict (event_id, user_id) do update set status = 'asked', sequence = excluded.sequence,
      asked_at = excluded.asked_at, answered_at = null, answered_by = null`

/** True while their request is open; the standing of people who add photos by a link does not show it. */
export const isAsking = (db: Db, eventId: number, userId: number) => anyRow(db)`
    select from join_requests where event_id = ${eventId} and user_id = ${userId} and status = 'asked'`

export type JoinAnswer = { status: 'approved' | 'rejected' | 'withdrawn'; by: number }

const waiting = 'join requests'

/** Answers the open requests of these people; returns those who had asked. */
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

/** True if their last request was answered like this and nothing has changed since. */
export const wasAnswered = (db: Db, eventId: number, userId: number, status: JoinAnswer['status']) => anyRow(db)`
    select from join_requests r join events e on e.id = r.event_id and e.deleted_at is null
    where r.event_id = ${eventId} and r.user_id = ${userId} and r.status = ${status}
      and (r.status = 'approved') = exists (select from members m where m.event_id = r.event_id and m.user_id = r.user_id)
    `

/** The people waiting, longest first, if the viewer invites to the event; otherwise nobody. */
export const listWaiting = async (db: Db, viewerId: number, eventId: number, { offset, limit }: Range) => {
  const line = sql`join_requests where event_id = ${eventId} and status = 'asked'`
  const start = pageStart({ list: waiting, parentId: eventId, rows: line, offset })
  const { rows } = await sql<Person>`
    select page.* from (
      select e.id from events e
      join members m on m.event_id = e.id and m.user_id = ${viewerId} and ${roleMay(sql`m.role`, 'invite')}
      where e.id = ${eventId} and e.deleted_at is null limit 1
    ) organized cross join lateral (
      select u.id, ${personBeside}, r.sequence
      from (select user_id, sequence from ${line} and sequence >= ${start} order by sequence limit ${rowsToFetch(limit)}) r
      join users u on u.id = r.user_id
    ) page order by page.sequence`.execute(db)
  return rows.slice(0, limit)
}
