import type { Role } from '@afterglow/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { allRows } from '../../platform/database/rows.ts'
import { isExtraordinary } from '../standing-sql.ts'

/* Reads the people of events, for notifying many of them. */

/**
 * The event's guest count and departures, which change with every join and leave; the roles of those who are not
 * ordinary guests, by their IDs; and the viewers and uploaders that a link lets in.
 */
export type MembersVersion = {
  id: number
  version: string
  roles: Record<string, Role> | null
  viewers: Record<string, Role> | null
}

/** True for a link `l` whose viewers may. */
const viewsNow = sql`l.revoked_at is null and coalesce(l.expires_at > now(), true)`

/** The membership state of these events, as a single value of a query. */
export const membersVersions = (eventIds: RawBuilder<unknown>) => sql`(
  select json_agg(json_build_object('id', e.id, 'version', e.departures || ' ' || e.guests_count, 'roles', (
    select json_object_agg(m.user_id, m.role) from members m where m.event_id = e.id and (${isExtraordinary(sql`m.role`)} or m.role = 'absent')
  ), 'viewers', (
    select json_object_agg(o.id, o.role) from (
      select l.viewer_id as id, l.role from event_links l
      where l.event_id = e.id and l.viewer_id is not null and ${viewsNow}
      union all
      select s.user_id, s.role from event_links l join guests g on g.link_id = l.id
        join seats s on s.event_id = g.event_id and s.user_id = g.user_id and s.role = l.role
      where l.event_id = e.id and l.role = 'drop') o)))
  from events e where e.id = any(${eventIds}) and e.deleted_at is null)`

export const readMembersVersions = async (db: Db, eventIds: readonly number[]) => {
  const { rows } = await sql<{ read: MembersVersion[] | null }>`
    select ${membersVersions(sql`${eventIds}::bigint[]`)} as read`.execute(db)
  return rows[0]?.read ?? []
}

export const idsOfMembersByEvent = async (db: Db, eventIds: readonly number[]) => {
  if (eventIds.length === 0) return new Map<number, readonly number[]>()
  const { rows } = await sql<{ id: number; ids: number[] }>`
    select event_id as id, array_agg(user_id::float8) as ids from members
    where event_id = any(${eventIds}::bigint[]) group by event_id`.execute(db)
  return new Map(rows.map(({ id, ids }) => [id, ids]))
}

/** Every event that somebody is in, or sees or adds to by a link, and their role. */
export const eventsOfMember = (db: Db, userId: number) => allRows<{ id: number; role: Role }>(db)`
    select m.event_id as id, m.role from seats m join events e on e.id = m.event_id
    where m.user_id = ${userId} and e.deleted_at is null`

/** Includes deleted events. */
export const eventsOfMembers = (db: Db, userIds: readonly number[]) => allRows<{ userId: number; eventId: number }>(db)`
    select user_id as "userId", event_id as "eventId" from seats
    where user_id = any(${userIds}::bigint[])`
