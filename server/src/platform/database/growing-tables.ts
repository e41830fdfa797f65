import { sql } from 'kysely'
import type { Db } from './database.ts'

/** What becomes of the rows of a table that grows by itself. */
export type Growing = {
  /** The column that tells a row's age, or when it ends. */
  since: string
  /** How long after that it goes, as PostgreSQL writes intervals. */
  lives: string
  /** The column whose order is that of age, and whose index finds the oldest; `since` itself unless told otherwise. */
  inOrderOf?: string
  /** Why deleting rows is not enough, so that a slice prunes it: files go along, or how far back it reaches is noted. */
  prunedBy?: 'its slice'
}

/** What becomes of the rows of a table. `kept` says why they are as many as what people have, and no more. */
export type Fate = Growing | { kept: string }

/** Of the tables that belong to no slice. */
export const platformTables: Record<string, Fate> = {
  damaged_files: { kept: 'goes when the file is right again' },
  file_sums: { kept: 'goes with its file' },
  idempotency_keys: { since: 'created_at', lives: '24 hours' },
  media: { kept: 'what people uploaded; its files go when nothing shows them' },
  migrations: { kept: 'one a migration' },
  removed_files: { since: 'removed_at', lives: '2 days' },
  sequence_gaps: { kept: 'a few a list' },
  storage_reports: { kept: 'the last ones of each kind' },
  stored_bytes: { kept: 'one a person' },
  upload_parts: { kept: 'goes with its session' },
}

export type GrowingTable = Growing & { table: string }

export const growing = (tables: Record<string, Fate>): GrowingTable[] =>
  Object.entries(tables).flatMap(([table, fate]) => ('since' in fate ? [{ table, ...fate }] : []))

/** How long ago the oldest row of each was due to go, or began to live, in seconds; and how late that is at most. */
export const oldestRows = async (db: Db, tables: readonly GrowingTable[]) => {
  const ages = tables.map(
    ({ table, since, lives, inOrderOf = since }) => sql`
      select ${table}::text as table, coalesce(extract(epoch from now() - o.since), 0)::float8 as seconds,
        extract(epoch from ${lives}::interval)::float8 as lives
      from (select 1) one left join lateral (
        select ${sql.ref(since)} as since from ${sql.table(table)} order by ${sql.ref(inOrderOf)} limit 1) o on true`,
  )
  const { rows } = await sql<{ table: string; seconds: number; lives: number }>`
    ${sql.join(ages, sql` union all `)}`.execute(db)
  return rows.map(row => ({ ...row, seconds: Math.max(row.seconds, 0) }))
}

const rowsAtOnce = 10_000

/** Deletes a batch of what has had its time; returns whether it was a whole one. */
export const deleteExpired = async (db: Db, { table, since, lives }: GrowingTable): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid in (
      select ctid from ${sql.table(table)} where ${sql.ref(since)} < now() - ${lives}::interval limit ${rowsAtOnce})`.execute(
    db,
  )
  return numAffectedRows >= rowsAtOnce
}
