import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { Manageable } from '../standing.ts'
import { roleMay } from '../standing-sql.ts'
import type { EventRow } from '../store.ts'

/* The SQL of holding an event again. */

/** What no form of an event says. */
export const copyRest = (tx: Transaction, from: EventRow & Manageable, to: number) =>
  sql`
    update events e set again_of = ${from.id}, photos_per_guest = before.photos_per_guest
    from events before where e.id = ${to} and before.id = ${from.id}`.execute(tx)

const peopleWhere = async (db: Db, { id }: EventRow & Manageable, which: RawBuilder<unknown>) => {
  const { rows } = await sql<{ user_id: number }>`
    select m.user_id from members m where m.event_id = ${id} and ${which} order by m.user_id`.execute(db)
  return rows.map(row => row.user_id)
}

export const organizersOf = (db: Db, event: EventRow & Manageable) =>
  peopleWhere(db, event, roleMay(sql`m.role`, 'manage'))
export const guestsOf = (db: Db, event: EventRow & Manageable) =>
  peopleWhere(db, event, sql`not ${roleMay(sql`m.role`, 'manage')}`)
