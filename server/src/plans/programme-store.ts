import { sql } from 'kysely'
import { roleMay } from '../events/standing-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'

/* The SQL of programmes. Times are kept from the beginning of the event, with which they move. Writes expect it locked. */

export type Entry = { startsAfterMs: number; endsAfterMs: number | null; title: string; place: string | null }

/** In their order. */
export const entriesOf = async (db: Db, eventIds: readonly number[]) => {
  const { rows } = await sql<Entry & { event_id: number }>`
    select event_id, starts_after_ms as "startsAfterMs", ends_after_ms as "endsAfterMs", title, place
    from programme_entries where event_id = any(${eventIds}::bigint[]) order by event_id, position`.execute(db)
  return Map.groupBy(rows, row => row.event_id)
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

export const copyEntries = (tx: Transaction, fromId: number, toId: number) =>
  sql`
    insert into programme_entries (event_id, position, starts_after_ms, ends_after_ms, title, place)
    select ${toId}, position, starts_after_ms, ends_after_ms, title, place
    from programme_entries where event_id = ${fromId}`.execute(tx)

/** Of the events that somebody opened and may still see. */
export const programmesBy = (db: Db, userId: number) =>
  sql<object>`
    select p.event_id, e.starts_at + p.starts_after_ms * interval '1 ms' as starts_at,
      e.starts_at + p.ends_after_ms * interval '1 ms' as ends_at, p.title, p.place
    from events e join programme_entries p on p.event_id = e.id
    where e.created_by = ${userId}
      and exists (select from standings s where s.event_id = e.id and s.user_id = ${userId} and s.standing <> 'removed')
    order by p.event_id, p.position`.execute(db)

/** Of events of theirs that nobody can bring back. */
export const deleteProgrammesOf = (db: Db, userId: number) =>
  sql`
    delete from programme_entries p using events e, members m
    where e.id = p.event_id and e.deleted_at is not null and m.event_id = e.id and m.user_id = ${userId}
      and ${roleMay(sql`m.role`, 'own')}`.execute(db)
