import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The retention of a table that grows by itself. */
export type Growing = {
  /** The column with a row's age, or when it ends. */
  since: string
  /** How long after that it is deleted, as a PostgreSQL interval. */
  lives: string
  /** The column whose order is that of age, and whose index finds the oldest; `since` itself by default. */
  inOrderOf?: string
  /** Why deleting rows is not enough, so that a slice prunes it: it has files, or records how far back it reaches. */
  prunedBy?: 'its slice'
}

/** The retention of a table. `kept` explains why its size is bounded by people's content. */
export type Retention = Growing | { kept: string }

/** Tables that belong to no slice. */
export const platformTables: Record<string, Retention> = {
  damaged_files: { kept: 'goes when the file is right again' },
  file_sums: { kept: 'goes with its file' },
  idempotency_keys: { since: 'created_at', lives: '24 hours' },
  job_lanes: { kept: 'one a lane' },
  job_schedule: { kept: 'one a scheduled task' },
  // Logs and metrics report a job that failed for good; operators have a month to investigate.
  jobs: { since: 'failed_at', lives: '30 days', inOrderOf: 'id' },
  media: { kept: 'what people uploaded; its files go when nothing shows them' },
  migrations: { kept: 'one a migration' },
  processes: { kept: 'one a living process' },
  removed_files: { since: 'removed_at', lives: '2 days' },
  sequence_gaps: { kept: 'a few a list' },
  storage_reports: { kept: 'the last ones of each kind' },
  stored_bytes: { kept: 'one a person' },
  upload_parts: { kept: 'goes with its session' },
}

export type GrowingTable = Growing & { table: string }

export const growing = (tables: Record<string, Retention>): GrowingTable[] =>
  Object.entries(tables).flatMap(([table, fate]) => ('since' in fate ? [{ table, ...fate }] : []))

/**
 * How long ago the oldest row of each was due for deletion, or was created, in seconds; and the maximum delay allowed.
 */
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

/** Deletes a batch of expired rows; returns whether it was a full one. */
export const deleteExpired = async (db: Db, { table, since, lives }: GrowingTable): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid in (
      select ctid from ${sql.table(table)} where ${sql.ref(since)} < now() - ${lives}::interval limit ${rowsAtOnce})`.execute(
    db,
  )
  return numAffectedRows >= rowsAtOnce
}
