import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** Deletes the records of unfinished uploads, and so the uploads; the sweeper removes the bytes. */
export const endUploadsOf = (db: Db, userId: number) =>
  sql`delete from upload_sessions where user_id = ${userId}`.execute(db)

export const endUploadsTo = (db: Db, eventId: number) =>
  sql`delete from upload_sessions where event_id = ${eventId}`.execute(db)
