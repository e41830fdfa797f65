import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/database.ts'
import { run } from '../../database/rows.ts'
import { type Storage, StorageFailed } from './storage.ts'

/*
 * A file may be put just as the sweeper, having found it without a row, is about to remove it: files are addressed by
 * their content, so an old orphan may be uploaded again. So a transaction that writes a row first takes a shared lock
 * on each of its files, and the sweeper an exclusive one: either the sweeper finds the row, or the writer finds the
 * mark that the sweeper leaves before removing anything, and checks.
 */

const lockSpace = sql.lit(12)

/** Call before writing a row that names these files. Throws `StorageFailed` if one was swept since it was put. */
export const holdFiles = async (tx: Transaction, hashes: readonly string[], has: Storage['has']): Promise<void> => {
  const named = [...new Set(hashes)].sort()
  await sql`
    select pg_advisory_xact_lock_shared(hashtextextended(h, ${lockSpace})) from unnest(${named}::text[]) h`.execute(tx)
  // A separate statement: it sees what was committed before the lock was released.
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from removed_files where sha256 = any(${named}::text[])`.execute(tx)
  for (const { sha256 } of rows)
    if (!(await has(sha256))) throw new StorageFailed('failing', new Error('The file was swept since it was put.'))
}

/** The sweeper's side: until the transaction ends, nobody can start naming these files. */
export const holdOrphans = async (tx: Transaction, hashes: readonly string[]): Promise<void> => {
  const named = [...hashes].sort()
  await sql`
    select pg_advisory_xact_lock(hashtextextended(h, ${lockSpace})) from unnest(${named}::text[]) h`.execute(tx)
}

/** Marks these files as possibly gone; in a transaction of its own, committed before any of them is removed. */
export const markRemoved = (db: Database, hashes: readonly string[]) => run(db)`
    insert into removed_files (sha256) select unnest(${hashes}::text[])
    on conflict (sha256) do update set removed_at = now()`
