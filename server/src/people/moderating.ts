import { sql } from 'kysely'
import type { Db } from '../platform/database.ts'

/* What the operator of an instance does with reports. Whoever calls this is the operator: there is no viewer. */

export type ReportRow = {
  id: number
  type: string
  target_id: number
  event_id: number | null
  reporter: string
  reason: string
  status: string
  created_at: Date
}

const most = 1000

/** The oldest first; resolved ones only where asked for. */
export const listReports = async (db: Db, { all }: { all: boolean }): Promise<ReportRow[]> => {
  const { rows } = await sql<ReportRow>`
    select r.id, r.type, r.target_id, r.event_id, u.username as reporter, r.reason, r.status, r.created_at
    from reports r join users u on u.id = r.reporter_id
    where ${all} or r.status = 'open' order by r.id limit ${most}`.execute(db)
  return rows
}

/** False when no open report has that id. */
export const closeReport = async (db: Db, id: number): Promise<boolean> => {
  const closed = await db
    .updateTable('reports')
    .set({ status: 'resolved', resolved_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return closed.numUpdatedRows > 0n
}
