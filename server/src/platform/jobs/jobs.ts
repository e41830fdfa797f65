import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import { requestNow } from '../observability/request-context.ts'

/**
 * Runs one kind of job. It may run twice with the same payload (a crash, a broken connection), so rows decide what is
 * left to do.
 */
// biome-ignore lint/suspicious/noExplicitAny: the payload is what the same slice gave to addJob, as JSON.
export type Task = (payload: any) => Promise<void>

export type JobTiming = {
  afterMs?: number
  /**
   * Jobs of one lane run one after another, independently of other lanes. Lanes are few and named by us, never by
   * people.
   */
  lane?: string
  /** Among jobs without a lane, the lowest come first; 0 by default. */
  priority?: number
}

/** Adds a job in the caller's transaction: it runs if that commits. It remembers the request that it is added for. */
export const addJob = async (tx: Transaction, task: string, payload: object, timing: JobTiming = {}) => {
  const { afterMs = 0, lane, priority = 0 } = timing
  const kept = JSON.stringify({ ...payload, [requestKey]: requestNow() })
  await sql`
    with lanes as (
      insert into job_lanes (name) select lane from (values (${lane ?? null}::text)) as asked (lane)
      where lane is not null on conflict do nothing)
    insert into jobs (task, payload, lane, priority, run_at)
    values (${task}, ${kept}::json, ${lane ?? null}, ${priority}, now() + make_interval(secs => ${afterMs / 1000}))`.execute(
    tx,
  )
}

/** A key in a job's payload that no slice uses. */
export const requestKey = '_request'

/** How many jobs of each task are waiting (and due), running, being retried after a failure, or failed for good. */
export const countJobs = async (db: Db) => {
  const { rows } = await sql<{ task: string; state: string; count: number }>`
    select task, case when failed_at is not null then 'failed' when held_by is not null then 'running'
      when last_error is not null then 'retrying' else 'waiting' end as state, count(*) as count
    from jobs where run_at <= now() or last_error is not null group by 1, 2`.execute(db)
  return rows
}
