import { type RawBuilder, sql } from 'kysely'
import { shownTo, type ViewerInSql, viewerMay } from '../events/standing-sql.ts'

/** For shownTo: a photo `p`. */
export const photo = { row: sql`p`, author: sql`p.taken_by`, sealedFrom: sql`p.sealed_from`, waits: sql`p.waits` }

/** These columns of the photos that an event has and a viewer does not see: few, each found by an index of its own. */
export const unseenBy = (viewer: ViewerInSql, eventId: number, columns: RawBuilder<unknown>) => {
  const some = (kind: RawBuilder<unknown>) => sql`
    select ${columns} from photos p
    where p.event_id = ${eventId} and ${kind} and p.deleted_at is null and not ${shownTo(viewer, photo)}`
  return sql`${some(sql`p.hidden_at is not null`)}
    union all ${some(sql`p.waits and p.hidden_at is null and not ${viewerMay(viewer, 'seeWaiting')}`)}`
}
