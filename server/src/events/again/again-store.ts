import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { Manageable } from '../standing.ts'
import { roleMay } from '../standing-sql.ts'
import type { EventRow } from '../store.ts'

/* The SQL of holding an event again. */

export const copySettings = (tx: Transaction, from: EventRow & Manageable, to: number) =>
  sql`
    update events e set again_of = before.id, description = before.description, location = before.location,
      visibility = before.visibility, join_mode = before.join_mode, attachments_to_album = before.attachments_to_album,
      guests_may_share = before.guests_may_share, greetings_on_wall = before.greetings_on_wall,
      page_lives = before.page_lives, photo_approval = before.photo_approval, photos_per_guest = before.photos_per_guest
    from events before where e.id = ${to} and before.id = ${from.id}`.execute(tx)

type Again = { name: string; starts_at: Date }

/** Whether that is to come, and whether an event that repeats this one then was made lately. Expects this one locked. */
export const readAgain = async (tx: Transaction, viewerId: number, from: EventRow & Manageable, asked: Again) => {
  const { rows } = await sql<{ isToCome: boolean; madeLately: number | null }>`
    select ${asked.starts_at}::timestamptz > now() as "isToCome", (
      select e.id from members m join events e on e.id = m.event_id
      where m.user_id = ${viewerId} and ${roleMay(sql`m.role`, 'manage')} and e.again_of = ${from.id}
        and e.starts_at = ${asked.starts_at} and e.name = ${asked.name} and e.status = 1 and e.deleted_at is null
        and e.created_at > now() - interval '10 minutes'
      order by e.id limit 1) as "madeLately"`.execute(tx)
  return rows[0] as { isToCome: boolean; madeLately: number | null }
}

const peopleWhere = async (db: Db, { id }: EventRow & Manageable, which: RawBuilder<unknown>) => {
  const { rows } = await sql<{ user_id: number }>`
    select m.user_id from members m where m.event_id = ${id} and ${which} order by m.user_id`.execute(db)
  return rows.map(row => row.user_id)
}

export const organizersOf = (db: Db, event: EventRow & Manageable) =>
  peopleWhere(db, event, roleMay(sql`m.role`, 'manage'))
export const guestsOf = (db: Db, event: EventRow & Manageable) =>
  peopleWhere(db, event, sql`not ${roleMay(sql`m.role`, 'manage')}`)
