import type { Db } from '../platform/database/database.ts'
import { run } from '../platform/database/rows.ts'

/** Deletes the records of unfinished uploads, and so the uploads; the sweeper removes the bytes. */
export const endUploadsOf = (db: Db, userId: number) => run(db)`delete from upload_sessions where user_id = ${userId}`

export const endUploadsTo = (db: Db, eventId: number) =>
  run(db)`delete from upload_sessions where event_id = ${eventId}`
