import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Members, Membership } from '../notifications/showing.ts'
import type { Db } from '../platform/database.ts'

const membersKeptMax = 500_000

type Version = { id: number; version: string; organizers: number[] }

/**
 * Who is in an event, for whoever tells them something. The list is kept as long as it holds: everybody who comes raises
 * the event's count of guests and everybody who goes raises its media epoch, so the two together never stand twice for
 * different people. They are read anew each time; so a removal that has committed is obeyed.
 */
export const openMembership = (): Membership => {
  const kept = new LRUCache<number, { version: string; ids: readonly number[] }>({
    maxSize: membersKeptMax,
    sizeCalculation: ({ ids }) => ids.length + 1,
  })
  const membersAt = async (db: Db, versions: readonly Version[]) => {
    const stale = versions.filter(({ id, version }) => kept.get(id)?.version !== version)
    const read = await readMembers(
      db,
      stale.map(({ id }) => id),
    )
    for (const { id, version } of stale) kept.set(id, { version, ids: read.get(id) ?? [] })
    return new Map(
      versions.map(({ id, organizers }): [number, Members] => [
        id,
        { ids: read.get(id) ?? kept.get(id)?.ids ?? [], organizers: new Set(organizers) },
      ]),
    )
  }
  return {
    async membersOf(db, eventIds) {
      if (eventIds.length === 0) return new Map()
      const { rows } = await sql<{ read: Version[] | null }>`
        select ${versionsOf(sql`${eventIds}::bigint[]`)} as read`.execute(db)
      return membersAt(db, rows[0]?.read ?? [])
    },
    readWithin: versionsOf,
    membersAt: (db, read) => membersAt(db, (read as Version[] | null) ?? []),
    async eventsOf(db, userId) {
      const { rows } = await sql<{ id: number; organizer: boolean }>`
        select g.event_id as id, g.organizer from guests g join events e on e.id = g.event_id
        where g.user_id = ${userId} and g.ended_at is null and e.deleted_at is null`.execute(db)
      return rows
    },
  }
}

const versionsOf = (eventIds: RawBuilder<unknown>) => sql`(
  select json_agg(json_build_object('id', e.id, 'version', e.media_epoch || ' ' || e.guests_count, 'organizers', array(
    select g.user_id from guests g where g.event_id = e.id and g.organizer and g.ended_at is null
  )))
  from events e where e.id = any(${eventIds}) and e.deleted_at is null)`

const readMembers = async (db: Db, eventIds: readonly number[]) => {
  if (eventIds.length === 0) return new Map<number, readonly number[]>()
  const { rows } = await sql<{ id: number; ids: number[] }>`
    select event_id as id, array_agg(user_id::float8) as ids from guests
    where event_id = any(${eventIds}::bigint[]) and ended_at is null group by event_id`.execute(db)
  return new Map(rows.map(({ id, ids }) => [id, ids]))
}
