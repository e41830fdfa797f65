import { sql } from 'kysely'
import { roleMay, standsTo } from '../events/standing-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows, run } from '../platform/database/rows.ts'
import type { AlbumFor } from './answers-store.ts'

/* The SQL of programmes. Times are kept from the beginning of the event, with which they move. Writes expect it locked. */

export type Entry = { startsAfterMs: number; endsAfterMs: number | null; title: string; place: string | null }

/** The guest limit, the album's audience and the programme of each event. */
export const plansOf = async (db: Db, eventIds: readonly number[]) => {
  const { rows } = await sql<{
    event_id: number
    places: number | null
    plus_max: number | null
    album_for: AlbumFor
    entries: Entry[] | null
  }>`
    select asked.id as event_id, p.places, p.plus_max, coalesce(p.album_for, 'everybody') as album_for, (
      select json_agg(json_build_object('startsAfterMs', e.starts_after_ms, 'endsAfterMs', e.ends_after_ms,
        'title', e.title, 'place', e.place) order by e.position)
      from programme_entries e where e.event_id = asked.id) as entries
    from unnest(${eventIds}::bigint[]) asked (id) left join event_plans p on p.event_id = asked.id`.execute(db)
  return new Map(rows.map(row => [row.event_id, row]))
}

export const replaceEntries = async (tx: Transaction, eventId: number, entries: readonly Entry[]) => {
  await sql`delete from programme_entries where event_id = ${eventId}`.execute(tx)
  await sql`
    insert into programme_entries (event_id, position, starts_after_ms, ends_after_ms, title, place)
    select ${eventId}, n, starts, ends, title, place from unnest(
      ${entries.map(entry => entry.startsAfterMs)}::bigint[], ${entries.map(entry => entry.endsAfterMs)}::bigint[],
      ${entries.map(entry => entry.title)}::text[], ${entries.map(entry => entry.place)}::text[]
    ) with ordinality as entry (starts, ends, title, place, n)`.execute(tx)
}

/** Programmes of events that a person opened and may still see. */
export const programmesBy = (db: Db, userId: number) => allRows<object>(db)`
    select p.event_id, e.starts_at + p.starts_after_ms * interval '1 ms' as starts_at,
      e.starts_at + p.ends_after_ms * interval '1 ms' as ends_at, p.title, p.place
    from events e join programme_entries p on p.event_id = e.id
    where e.created_by = ${userId}
      and ${standsTo(userId)}
    order by p.event_id, p.position`

/** Deletes programmes of their events that nobody can restore. */
export const deleteProgrammesOf = (db: Db, userId: number) => run(db)`
    delete from programme_entries p using events e, members m
    where e.id = p.event_id and e.deleted_at is not null and m.event_id = e.id and m.user_id = ${userId}
      and ${roleMay(sql`m.role`, 'own')}`
