import { type RawBuilder, sql } from 'kysely'
import type { Database, Db } from '../platform/database/database.ts'
import { oneRow } from '../platform/database/rows.ts'
import type { ChangeRow } from './announce.ts'
import type { Head, Position } from './position.ts'

/** A change with its position in commit order. */
export type PlacedRow = ChangeRow & { place: number }

const columns = sql`c.id, c.place, c.kind, c.audience, c.event_id, c.user_id, c.actor_id, c.subject_id, c.detail`

const placedAtOnce = 20_000

/** Events and people that changes concern, or that a listener follows. */
export type ChangeScope = { events: readonly number[]; users: readonly number[] }

/**
 * Assigns a position to every change committed so far. Returns the end of the log, and the events and people that the
 * changes after `after` concern: none, if null. It opens its own transaction, so it does not take one.
 */
export const readHead = async (db: Database, after: number | null): Promise<{ head: Head; concerned: ChangeScope }> => {
  for (;;) {
    const { rows } = await sql<Head & ChangeScope & { placed: number }>`
      select placed, history, place, cursor_key as "cursorKey", events, users
      from read_head(${placedAtOnce}, ${after})`.execute(db)
    const [{ placed, events, users, ...head }] = rows as [Head & ChangeScope & { placed: number }]
    if (placed < placedAtOnce) return { head, concerned: { events, users } }
  }
}

/** Assigns positions to all committed changes and returns the end of the log. */
export const placeChanges = async (db: Database): Promise<Head> => (await readHead(db, null)).head

/**
 * For a caller who knows a position in this history that the database has not reached: it was rolled back, and a new
 * history begins. This happens once, however many detect it at the same time.
 */
export const beginHistory = async (db: Database, { history }: Pick<Position, 'history'>): Promise<void> => {
  await sql`select begin_history(${history})`.execute(db)
}

/**
 * The changes between two positions that concern these events and people, in order. `within` is read in the same
 * statement for the events whose IDs it receives: one value, returned with the first change.
 */
export const readPlaced = async (
  db: Db,
  { after, upTo, events, users }: ChangeScope & { after: number; upTo: number },
  within: (eventIds: RawBuilder<unknown>) => RawBuilder<unknown>,
) => {
  const { rows } = await sql<PlacedRow & { within: unknown }>`
    with placed as materialized (
      select ${columns} from changes c where c.place > ${after} and c.place <= ${upTo}
        and case c.audience when 'user' then c.user_id = any(${users}::bigint[]) else c.event_id = any(${events}::bigint[]) end
    )
    select c.*, case when c.place = (select min(place) from placed)
      then ${within(sql`array(select distinct event_id from placed where event_id is not null)`)} end as within
    from placed c order by c.place`.execute(db)
  return { changes: rows, within: rows[0]?.within }
}

/** How long the oldest change after a position, or without one, has been waiting, in seconds; 0 if there is none. */
export const waitingSince = async (db: Db, place: number): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as seconds
    from (select created_at from changes where place > ${place}
      union all select created_at from changes where place is null) waiting`.execute(db)
  return rows[0]?.seconds ?? 0
}

type SessionEnds = { place: number; writtenAt: string; placed: number[]; unplaced: number[] }

/**
 * The sessions that ended after a position, and the end of the log; including ends without a position, which are
 * returned again once they have one. `writtenAt` differs for every copy of the database.
 */
export const readSessionEnds = async (db: Db, after: number) => {
  const ended = sql`select user_id::float8 from changes where kind = 'session.ended'`
  return oneRow<SessionEnds>(db)`
    select last_place() as place, writing_place(tableoid) as "writtenAt",
      array(${ended} and place > ${after}) as placed, array(${ended} and place is null) as unplaced
    from change_log`
}

export type Reader = { userId: number; events: readonly number[]; organized: readonly number[] }
type Range = { after: number; upTo: number; kinds: readonly string[]; limit: number }

/** The changes between two positions that one user is told, in order; undefined if some have been deleted. */
export const readPlacedOf = async (db: Db, reader: Reader, { after, upTo, kinds, limit }: Range) => {
  const due = sql`c.kind = any(${kinds}::text[]) and c.place > ${after} and c.place <= ${upTo}`
  const { rows } = await sql<{ kept: boolean } & (PlacedRow | { [Key in keyof PlacedRow]: null })>`
    select l.kept_after <= ${after} as kept, c.* from change_log l left join (
      select ${columns} from changes c
      where c.event_id = any(${reader.events}::bigint[]) and (c.audience = 'event'
        or (c.audience = 'organizers' and c.event_id = any(${reader.organized}::bigint[]))) and ${due}
      union all
      select ${columns} from changes c
      where c.user_id = ${reader.userId} and c.audience = 'user' and ${due}
      order by place limit ${limit}
    ) c on true order by c.place`.execute(db)
  return rows[0]?.kept ? rows.filter((row): row is { kept: boolean } & PlacedRow => row.id !== null) : undefined
}

const keptDays = 7
const rowsAtOnce = 10_000

/**
 * Deletes a batch of changes older than a week, and records how far back the log reaches. Returns whether there were
 * any.
 */
export const pruneChanges = async (db: Database): Promise<boolean> => {
  await placeChanges(db)
  const { numAffectedRows = 0n } = await sql`
    with pruned as (
      delete from changes where created_at < now() - make_interval(days => ${keptDays})
        and place in (select place from changes where place is not null order by place limit ${rowsAtOnce}) returning place
    )
    update change_log set kept_after = greatest(kept_after, (select max(place) from pruned))
    where exists (select from pruned)`.execute(db)
  return numAffectedRows > 0n
}
