import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'

const rowsAtOnce = 10_000

/** Removes notifications that nothing happened to for 90 days, with their traces. Bounded, so that it never holds the table. */
export const pruneNotifications = async (db: Database): Promise<void> => {
  await sql`delete from notifications where id in (
    select id from notifications where updated_at < now() - interval '90 days'
    order by updated_at limit ${rowsAtOnce})`.execute(db)
}
