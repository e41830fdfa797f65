import { type Insertable, sql } from 'kysely'
import type { Db, Transaction } from '../platform/database.ts'
import type { Reports } from '../platform/schema.ts'

/* The SQL of reports, as reporters make them and organizers read them. The operator has moderating.ts. */

export const addReport = async (db: Db, report: Insertable<Reports>) =>
  (await db.insertInto('reports').values(report).returning('id').executeTakeFirstOrThrow()).id

/** Whether all of these people are in an event now. */
export const areIn = async (db: Db, eventId: number, userIds: readonly number[]) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from guests g join events e on e.id = g.event_id and e.deleted_at is null
    where g.event_id = ${eventId} and g.user_id = any(${userIds}::bigint[]) and g.ended_at is null`.execute(db)
  return rows[0]?.count === new Set(userIds).size
}

export type ReportRow = {
  id: number
  type: 'user' | 'message' | 'photo' | 'comment'
  target_id: number
  event_id: number
  about_user_id: number
  reason: string
  status: 'open' | 'resolved'
  resolved_by: number | null
  resolved_at: Date | null
  created_at: Date
}

/** Of the events that somebody organizes; what is about themselves is not theirs to read. */
const readBy = (viewerId: number) => sql`
  select r.id, r.type, r.target_id, r.event_id, r.about_user_id, r.reason, r.status, r.resolved_by, r.resolved_at,
    r.created_at
  from reports r join events e on e.id = r.event_id and e.deleted_at is null
  join guests g on g.event_id = r.event_id and g.user_id = ${viewerId} and g.organizer and g.ended_at is null
  where r.type <> 'event' and r.about_user_id <> ${viewerId}`

type Asked = { eventId: number | undefined; status: string | undefined }

/** Newest first. */
export const listReports = async (
  db: Db,
  viewerId: number,
  { eventId, status }: Asked,
  { offset, limit }: { offset: number; limit: number },
) => {
  const { rows } = await sql<ReportRow>`
    ${readBy(viewerId)} ${eventId === undefined ? sql`` : sql`and r.event_id = ${eventId}`}
      ${status === undefined ? sql`` : sql`and r.status = ${status}`}
    order by r.id desc offset ${offset} limit ${limit}`.execute(db)
  return rows
}

export const findReport = async (db: Db, viewerId: number, id: number) => {
  const { rows } = await sql<ReportRow>`${readBy(viewerId)} and r.id = ${id}`.execute(db)
  return rows[0]
}

/** False when it was resolved before. */
export const resolve = async (tx: Transaction, id: number, by: number) => {
  const { numAffectedRows } = await sql`
    update reports set status = 'resolved', resolved_by = ${by}, resolved_at = now()
    where id = ${id} and status = 'open'`.execute(tx)
  return numAffectedRows === 1n
}
