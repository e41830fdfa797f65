import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { deleteExpired, type GrowingTable } from '../database/growing-tables.ts'

/** Every hour, and in the quiet of the night or, when nobody was up then, in the morning: by one process of all. */
export const schedule = [
  '0 * * * * tidyUp ?queue=tidyUp',
  '17 3 * * * sweepStorage ?fill=12h',
  '47 3 * * * scrubStorage ?fill=12h',
]

/** Between two batches, for those who serve requests. */
const pauseMs = 20
/** For each table: what is left then is the next hour's. */
const atMostMs = 5 * 60_000

/** A slice's own way: a batch of it, and whether there may be more. */
export type Prune = () => Promise<boolean>

/**
 * Removes what has had its time from every table that grows, batch by batch until a batch is short: one batch an hour
 * would be outrun by a single person.
 */
export const tidyUp = async (
  db: Database,
  tables: readonly GrowingTable[],
  prunes: Record<string, Prune> = {},
): Promise<void> => {
  const faults: unknown[] = []
  for (const one of tables) {
    const prune = prunes[one.table]
    if (one.prunedBy && !prune) continue
    const batch = prune ?? (() => deleteExpired(db, one))
    const until = performance.now() + atMostMs
    try {
      // One that cannot be tidied keeps no other waiting.
      while ((await batch()) && performance.now() < until) await sleep(pauseMs)
    } catch (fault) {
      faults.push(fault)
    }
  }
  await deleteFailedJobs(db)
  if (faults.length > 0) throw new AggregateError(faults, 'not every table could be tidied')
}

/** A job that failed for good is told by log and metrics, and kept for a month for whoever looks into it. */
const deleteFailedJobs = (db: Database) =>
  sql`delete from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and run_at < now() - interval '30 days'`.execute(db)
