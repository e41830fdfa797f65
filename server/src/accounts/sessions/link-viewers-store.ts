import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allValues, run } from '../../platform/database/rows.ts'

/* The SQL of the viewers of links that make nobody a person. */

/** The status of the row that stands for all viewers of one link: nobody signs in to it, finds it or meets it. */
export const viewerStatus = 6

/** Nobody finds it by a name, and it is shown nothing of who has read what. */
export const insertViewer = async (tx: Transaction, linkId: number) => {
  const name = `link.${linkId}`
  const { rows } = await sql<{ id: number }>`
    insert into users (first_name, last_name, username, email, timezone, status, came_by, visible, hides_seen)
    values ('', '', ${`${name}@viewer.invalid`}, ${`${name}@viewer.invalid`}, 'UTC', ${viewerStatus}, ${linkId}, false, true)
    returning id`.execute(tx)
  return (rows[0] as { id: number }).id
}

/** On how many devices the link is open, and whether this one is among them. */
export const viewersNow = async (db: Db, viewerId: number, deviceId: string) => {
  const { rows } = await sql<{ devices: number; known: boolean }>`
    select count(*) as devices, coalesce(bool_or(device_id = ${deviceId}), false) as known
    from devices where user_id = ${viewerId} and token_expires_at > now()`.execute(db)
  return rows[0] as (typeof rows)[number]
}

export const noteCameFrom = (tx: Transaction, viewerId: number, deviceId: string, cameFrom: Buffer) =>
  run(tx)`update devices set came_from = ${cameFrom} where user_id = ${viewerId} and device_id = ${deviceId}`

/**
 * One that has asked for nothing for an hour, the longest first, or else the newest of the network that holds most of
 * them, if that is more than its share and than this network would hold. False if there is none.
 */
export const endDispensable = async (
  tx: Transaction,
  viewerId: number,
  { cameFrom, shareMax }: { cameFrom: Buffer; shareMax: number },
) => {
  const { numAffectedRows } = await sql`
    with held as (
      select id, last_used_at, last_used_at < now() - interval '1 hour' as idle, count(*) over (partition by came_from) as alike
      from devices where user_id = ${viewerId}
    ), own as (select count(*) as held from devices where user_id = ${viewerId} and came_from = ${cameFrom})
    delete from devices where id = (
      select h.id from held h, own where h.idle or h.alike > greatest(${shareMax}, own.held + 1)
      order by h.idle desc, case when h.idle then h.last_used_at end, h.alike desc, h.id desc limit 1)`.execute(tx)
  return numAffectedRows === 1n
}

export const endViewing = async (tx: Transaction, viewerId: number, deviceRow: number) => {
  const { numAffectedRows } = await sql`
    delete from devices where user_id = ${viewerId} and id = ${deviceRow}`.execute(tx)
  return numAffectedRows === 1n
}

/** Ends every session of these people, and the links to pictures that they hold. */
export const endSessionsOf = (tx: Transaction, userIds: readonly number[]) =>
  run(tx)`select end_sessions(id, null, false) from unnest(${userIds}::bigint[]) ended (id)`

/** People who came by a link to add photos and can sign in by nothing but a session. */
export const addersAmong = (tx: Transaction, userIds: readonly number[]) => allValues<number>(tx)`
    select id from users where id = any(${userIds}::bigint[]) and status = 5 and came_to_add order by id`

export const eraseViewers = (tx: Transaction, linkIds: readonly number[]) =>
  run(tx)`delete from users where came_by = any(${linkIds}::bigint[]) and status = ${viewerStatus}`
