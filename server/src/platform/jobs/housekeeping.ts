import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { deleteExpired, type GrowingTable } from '../database/growing-tables.ts'
import type { ScheduledTask } from './job-schedule.ts'

/** Every hour, and at night or, if the service was down then, in the morning: by one process of all. */
export const schedule: readonly ScheduledTask[] = [
  { task: 'tidyUp', every: '1 hour', lane: 'tidyUp' },
  { task: 'sweepStorage', every: '1 day', after: '3 hours 17 minutes', late: '12 hours' },
  { task: 'scrubStorage', every: '1 day', after: '3 hours 47 minutes', late: '12 hours' },
]

/** A pause between two batches, for those who serve requests. */
const pauseMs = 20
/** For each table: whatever is left then waits for the next hour. */
const atMostMs = 5 * 60_000

/** A slice's own method: it deletes a batch, and returns whether there may be more. */
export type Prune = () => Promise<boolean>

/**
 * Removes expired rows from every table that grows, batch by batch until a batch is short: with one batch an hour, a
 * single person could outrun it.
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
      // A table that cannot be cleaned does not keep the others waiting.
      while ((await batch()) && performance.now() < until) await sleep(pauseMs)
    } catch (fault) {
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'not every table could be tidied')
}
