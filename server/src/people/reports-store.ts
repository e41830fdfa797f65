import { type Insertable, sql } from 'kysely'
import { roleMay } from '../events/standing-sql.ts'
import type { Db } from '../platform/database/database.ts'
import { allRows, anyRow, firstRow, run } from '../platform/database/rows.ts'
import type { Reports } from '../platform/database/schema.ts'
import { isAboutOrganizer } from './reports-sql.ts'

export const addReport = async (db: Db, report: Insertable<Reports>) =>
  (await db.insertInto('reports').values(report).returning('id').executeTakeFirstOrThrow()).id

export const areIn = async (db: Db, eventId: number, userIds: readonly number[]) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from members g join events e on e.id = g.event_id and e.deleted_at is null
    where g.event_id = ${eventId} and g.user_id = any(${userIds}::bigint[])`.execute(db)
  return rows[0]?.count === new Set(userIds).size
}

export type ReportRow = {
  id: number
  type: 'user' | 'event' | 'message' | 'photo' | 'comment'
  target_id: number
  event_id: number | null
  about_user_id: number | null
  photo_id: number | null
  /** Null for those who must not know. */
  reporter_id: number | null
  reason: string
  status: 'open' | 'resolved'
  resolved_by: number | null
  resolved_at: Date | null
  created_at: Date
}

export const isOperator = (db: Db, userId: number) => anyRow(db)`select from users where id = ${userId} and operator`

const columns = sql`r.id, r.type, r.target_id, r.event_id, r.about_user_id, r.photo_id, r.reason, r.status, r.resolved_by,
  r.resolved_at, r.created_at`

/** Reports in the events that somebody moderates, except those about themselves. */
const readByOrganizer = (viewerId: number) => sql`
  select ${columns}, null::bigint as reporter_id
  from reports r join events e on e.id = r.event_id and e.deleted_at is null
  join members g on g.event_id = r.event_id and g.user_id = ${viewerId} and ${roleMay(sql`g.role`, 'moderate')}
  where r.type <> 'event' and r.about_user_id <> ${viewerId}`

/** Reports of the whole instance, again except those about themselves. */
const readByOperator = (viewerId: number) => sql`
  select ${columns}, r.reporter_id from reports r where r.about_user_id is distinct from ${viewerId}`

/** The reader of reports; operators read those of the whole instance. */
export type Reader = { id: number; operator: boolean }
const readBy = ({ id, operator }: Reader) => (operator ? readByOperator(id) : readByOrganizer(id))

type ReportFilter = { eventId: number | undefined; status: string | undefined }

/** Newest first. */
export const listReports = (
  db: Db,
  reader: Reader,
  { eventId, status }: ReportFilter,
  { offset, limit }: { offset: number; limit: number },
) => allRows<ReportRow>(db)`
    ${readBy(reader)} ${eventId === undefined ? sql`` : sql`and r.event_id = ${eventId}`}
      ${status === undefined ? sql`` : sql`and r.status = ${status}`}
    order by r.id desc offset ${offset} limit ${limit}`

export const findReport = (db: Db, reader: Reader, id: number) =>
  firstRow<ReportRow>(db)`${readBy(reader)} and r.id = ${id}`

export const isOfOrganizer = async (db: Db, id: number) =>
  (await sql`select from reports r where r.id = ${id} and ${isAboutOrganizer}`.execute(db)).rows.length > 0

/** False if it was resolved before. */
export const resolve = async (db: Db, id: number, by: number | null) => {
  const { numAffectedRows } = await sql`
    update reports set status = 'resolved', resolved_by = ${by}, resolved_at = now()
    where id = ${id} and status = 'open'`.execute(db)
  return numAffectedRows === 1n
}

const mostForOperator = 1000

/** For the command line, whose operator is not a viewer: oldest first; resolved ones only on request. */
export const listForOperator = (db: Db, { all }: { all: boolean }) =>
  allRows<
    Pick<ReportRow, 'id' | 'type' | 'target_id' | 'event_id' | 'reason' | 'status' | 'created_at'> & {
      reporter: string
    }
  >(db)`
    select r.id, r.type, r.target_id, r.event_id, u.username as reporter, r.reason, r.status, r.created_at
    from reports r join users u on u.id = r.reporter_id
    where ${all} or r.status = 'open' order by r.id limit ${mostForOperator}`

/** Open reports of these events that all of their organizers read: none about one of themselves. */
export const countOpen = (eventIds: readonly number[]) =>
  sql<{ event_id: number; count: number; since: Date }>`
    select r.event_id, count(*)::int as count, min(r.created_at) as since from reports r
    where r.event_id = any(${eventIds}::bigint[]) and r.status = 'open' and r.type <> 'event' and not ${isAboutOrganizer}
    group by r.event_id`

/** Reports about what was in an event keep their count, not their words. */
export const forgetReasons = (db: Db, eventId: number) =>
  run(db)`update reports set reason = '' where event_id = ${eventId}`
