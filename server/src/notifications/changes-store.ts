import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database.ts'
import type { ChangeRow } from './announcing.ts'
import type { Position } from './position.ts'

const columns = sql`c.id, c.kind, c.audience, c.event_id, c.user_id, c.actor_id, c.subject_id, c.detail`

/** What this snapshot does not show: transactions since, and those that ran when it was taken. */
const unseenIn = (snapshot: string) => sql`(c.xid >= pg_snapshot_xmax(${snapshot}::text::pg_snapshot)
  or c.xid = any(array(select * from pg_snapshot_xip(${snapshot}::text::pg_snapshot))))`

const visibleIn = (snapshot: string) => sql`pg_visible_in_snapshot(c.xid, ${snapshot}::text::pg_snapshot)`

/** Where the log stands now. */
export const readHead = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ head: string }>`select pg_current_snapshot()::text as head`.execute(db)
  return (rows[0] as { head: string }).head
}

type MaybeRow<Row> = Row | { [Key in keyof Row]: null }

const split = <Row extends { id: number }>(rows: readonly ({ head: string } & MaybeRow<Row>)[]) => ({
  head: (rows[0] as { head: string }).head,
  changes: rows.filter((row): row is { head: string } & Row => row.id !== null),
})

/**
 * Everything that the log holds and a snapshot does not show, in order, and the snapshot that shows it. `within` is read
 * in the same statement, of the events whose ids it is given: one value, with the first change.
 */
export const readUnseen = async (
  db: Db,
  seen: string,
  within: (eventIds: RawBuilder<unknown>) => RawBuilder<unknown>,
) => {
  const { rows } = await sql<{ head: string; within: unknown } & MaybeRow<ChangeRow>>`
    with unseen as materialized (select ${columns} from changes c where ${unseenIn(seen)})
    select h.head, case when c.id = (select min(id) from unseen)
      then ${within(sql`array(select distinct event_id from unseen where event_id is not null)`)} end as within, c.*
    from (select pg_current_snapshot()::text as head) h left join unseen c on true
    order by c.id`.execute(db)
  return { ...split<ChangeRow>(rows), within: rows[0]?.within }
}

/** How long the oldest change waits that a snapshot does not show, in seconds; 0 when it shows all. */
export const waitingSince = async (db: Db, seen: string): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(c.created_at)), 0)::float8 as seconds
    from changes c where ${unseenIn(seen)}`.execute(db)
  return rows[0]?.seconds ?? 0
}

export type Reader = { userId: number; events: readonly number[]; organized: readonly number[] }
type BegunRow = ChangeRow & { begun: boolean }
type Range = { position: Position; until: string | undefined; kinds: readonly string[]; limit: number }

/**
 * What one user is told after a position, in order: first the rest of what the position began, then what came since.
 * `begun` marks the former. `too_old` when the log does not reach back that far, or never was there.
 */
export const readUnseenOf = async (db: Db, reader: Reader, { position, until, kinds, limit }: Range) => {
  const { seen, next, id } = position
  const begun: RawBuilder<boolean> = next === undefined ? sql`false` : sql`${visibleIn(next)}`
  const due = sql`c.kind = any(${kinds}::text[]) and ${unseenIn(seen)}
    and (not ${begun} or c.id > ${id ?? 0}) ${until === undefined ? sql`` : sql`and (${begun} or ${visibleIn(until)})`}`
  const { rows } = await sql<{ head: string; too_old: boolean } & MaybeRow<BegunRow>>`
    select h.*, c.* from (
      select pg_current_snapshot()::text as head,
        l.kept_since > pg_snapshot_xmin(${seen}::text::pg_snapshot)
        or pg_snapshot_xmax(${next ?? seen}::text::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
        or pg_snapshot_xmax(${seen}::text::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as too_old
      from change_log l
    ) h left join (
      select ${columns}, ${begun} as begun from changes c
      where c.event_id = any(${reader.events}::bigint[]) and (c.audience = 'event'
        or (c.audience = 'organizers' and c.event_id = any(${reader.organized}::bigint[]))) and ${due}
      union all
      select ${columns}, ${begun} as begun from changes c
      where c.user_id = ${reader.userId} and c.audience = 'user' and ${due}
      order by begun desc, id limit ${limit}
    ) c on true order by c.begun desc, c.id`.execute(db)
  return { ...split<BegunRow>(rows), tooOld: rows[0]?.too_old ?? false }
}

const keptDays = 7
const rowsAtOnce = 10_000

/** Removes what is older than a week, and remembers how far back the log reaches. */
export const pruneChanges = async (db: Db): Promise<void> => {
  await sql`
    with pruned as (
      delete from changes where created_at < now() - make_interval(days => ${keptDays})
        and id in (select id from changes order by id limit ${rowsAtOnce}) returning xid
    )
    update change_log set kept_since = greatest(kept_since, ((select max(xid::text::numeric) from pruned) + 1)::text::xid8)
    where exists (select from pruned)`.execute(db)
}

/**
 * A database that was restored elsewhere counts its transactions anew, and the log's mean nothing there: it begins
 * afresh, and every cursor of before is too old.
 */
export const dropForeignLog = async (db: Db): Promise<void> => {
  await sql`
    with foreign_log as materialized (
      select from change_log where kept_since > pg_snapshot_xmax(pg_current_snapshot())
      union all
      (select from changes where xid >= pg_snapshot_xmax(pg_current_snapshot()) limit 1)
    ), emptied as (
      delete from changes where exists (select from foreign_log)
    )
    update change_log set kept_since = pg_snapshot_xmax(pg_current_snapshot()) where exists (select from foreign_log)
  `.execute(db)
}
