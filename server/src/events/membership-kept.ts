import { sql } from 'kysely'
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
  return {
    async membersOf(db, eventIds) {
      if (eventIds.length === 0) return new Map()
      const versions = await versionsOf(db, eventIds)
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
    },
    async eventsOf(db, userId) {
      const { rows } = await sql<{ id: number; organizer: boolean }>`
        select g.event_id as id, g.organizer from guests g join events e on e.id = g.event_id
        where g.user_id = ${userId} and g.ended_at is null and e.deleted_at is null`.execute(db)
      return rows
    },
  }
}

const versionsOf = async (db: Db, eventIds: readonly number[]) => {
  const { rows } = await sql<Version>`
    select e.id, e.media_epoch || ' ' || e.guests_count as version, array(
      select g.user_id::float8 from guests g where g.event_id = e.id and g.organizer and g.ended_at is null
    ) as organizers
    from events e where e.id = any(${eventIds}::bigint[]) and e.deleted_at is null`.execute(db)
  return rows
}

const readMembers = async (db: Db, eventIds: readonly number[]) => {
  if (eventIds.length === 0) return new Map<number, readonly number[]>()
  const { rows } = await sql<{ id: number; ids: number[] }>`
    select event_id as id, array_agg(user_id::float8) as ids from guests
    where event_id = any(${eventIds}::bigint[]) and ended_at is null group by event_id`.execute(db)
  return new Map(rows.map(({ id, ids }) => [id, ids]))
}
