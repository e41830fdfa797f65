import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { anyRow, run } from '../../platform/database/rows.ts'
import type { Holder } from '../../platform/media/signed-url.ts'
import { roleMay } from '../standing-sql.ts'

/* The SQL of who may follow links to an event's pictures. */

/**
 * True if the picture is the person's own or they may see such pictures of its event, and their sessions have not ended
 * since.
 */
export const mayHoldLinks = (
  db: Db,
  { userId, linkEpoch }: Holder,
  mediaId: number,
  needs: 'album' | 'readChat' = 'album',
) => anyRow(db)`
    select from media p join seats m on m.event_id = p.event_id join users u on u.id = m.user_id
    where p.id = ${mediaId} and u.id = ${userId} and u.link_epoch = ${linkEpoch} and u.status <> 3
      and (${roleMay(sql`m.role`, needs)} or p.owner_id = u.id)`

/** Invalidates every media URL of the event that anybody holds. */
export const endLinks = (tx: Transaction, eventId: number) => run(tx)`
    update events set media_epoch = media_epoch + 1, links_ended_at = clock_timestamp() where id = ${eventId}`

/** When that was last done or is planned, in milliseconds from now; null: never. */
export const linksEndedIn = async (tx: Transaction, eventId: number) => {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from links_ended_at - clock_timestamp())::float8 * 1000 as ms from events
    where id = ${eventId}`.execute(tx)
  return rows[0]?.ms ?? null
}

export const planEndOfLinks = (tx: Transaction, eventId: number, afterMs: number) => run(tx)`
    update events set links_ended_at = clock_timestamp() + make_interval(secs => ${afterMs / 1000})
    where id = ${eventId}`
