import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allValues, firstValue, run } from '../../platform/database/rows.ts'
import { fewMay, roleMay } from '../standing-sql.ts'

/* The SQL of who owns an event, and of who comes next. */

const isOwner = roleMay(sql`m.role`, 'own')
/** Next in line. */
const mayOnlyManage = sql`${fewMay(sql`m.role`, 'manage')} and not ${isOwner}`

/** Somebody in the event owns it from now on, and nobody is offered it any more. */
export const passOwnership = async (tx: Transaction, eventId: number, toUserId: number) => {
  await sql`update members m set role = 'organizer' where event_id = ${eventId} and ${isOwner}`.execute(tx)
  await sql`update members set role = 'owner' where event_id = ${eventId} and user_id = ${toUserId}`.execute(tx)
  await offerTo(tx, eventId, null)
}

export const offerTo = (tx: Transaction, eventId: number, userId: number | null) =>
  run(tx)`update events set offered_to = ${userId}::bigint where id = ${eventId}`

/** The events that one of the two offers the other. */
export const offeredBetween = (tx: Transaction, one: number, other: number) => allValues<number>(tx)`
    select e.id from members m join events e on e.id = m.event_id and e.deleted_at is null
    where m.user_id in (${one}, ${other}) and ${isOwner} and e.offered_to in (${one}, ${other}) order by e.id`

export const ownerOf = (db: Db, eventId: number) => firstValue<number>(db)`
    select user_id from members m where event_id = ${eventId} and ${isOwner}`

/** The events somebody owns, of those that exist. */
export const ownedBy = (db: Db, userId: number) => allValues<number>(db)`
    select e.id from members m join events e on e.id = m.event_id and e.deleted_at is null
    where m.user_id = ${userId} and ${isOwner} order by e.id`

/** Events that somebody organizes and whose owner is suspended: the next organizer to come back takes care of them. */
export const ownerlessOf = (db: Db, userId: number) => allValues<number>(db)`
    select e.id from members m join events e on e.id = m.event_id and e.deleted_at is null
      join members o on o.event_id = e.id and ${roleMay(sql`o.role`, 'own')} join users u on u.id = o.user_id
    where m.user_id = ${userId} and ${mayOnlyManage} and ${outOfReach} order by e.id`

const outOfReach = sql`(u.status = 3 or u.erased_at is not null)`

/** The organizer of longest standing besides the owner who can take care of the event; undefined if there is none. */
export const nextOwner = (db: Db, eventId: number) => firstValue<number>(db)`
    select m.user_id from members m join users u on u.id = m.user_id
    where m.event_id = ${eventId} and ${mayOnlyManage} and not ${outOfReach}
    order by u.status = 4, m.joined_at, m.user_id limit 1`
