import { sql } from 'kysely'
import { restorable } from '../../platform/media/file-references.ts'

/** For a query with `events e`: whether a deleted event can still be brought back. */
export const inTime = sql`(e.erased_at is null and e.deleted_at > now() - ${restorable})`
