import { sql } from 'kysely'
import type { Database, Db } from '../database/database.ts'
import { allRows, firstRow } from '../database/rows.ts'

/* The jobs as an operator sees and decides on them. */

export const jobStates = ['waiting', 'running', 'retrying', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** A job that is due later by itself is in no state yet. */
const state = sql<
  JobState | 'later'
>`case when failed_at is not null then 'failed' when held_by is not null then 'running'
  when failing_since is not null then 'retrying' when run_at > now() then 'later' else 'waiting' end`
const since = sql<Date>`coalesce(failed_at, case when held_by is not null then held_since end, failing_since, run_at)`

export type CountedJobs = { task: string; state: JobState; count: number; seconds: number; failed_lately: number }

/**
 * How many jobs of each task wait (and are due), run, are retried after a failure, or failed for good; since when the
 * oldest does so, and how many failed for good within the last hour.
 */
export const countJobs = (db: Db) => allRows<CountedJobs>(db)`
    select task, ${state} as state, count(*) as count,
      coalesce(extract(epoch from now() - min(${since})), 0)::float8 as seconds,
      count(*) filter (where failed_at > now() - interval '1 hour') as failed_lately
    from jobs where run_at <= now() or failing_since is not null group by 1, 2 order by 1, 2`

export type ListedJob = {
  id: number
  task: string
  state: JobState | 'later'
  since: Date
  attempts: number
  deaths: number
  next_at: Date | null
  last_error: string | null
}

export type Listing = { state?: string | undefined; task?: string | undefined; most: number }

/** Failures first; without a state, all except jobs that merely wait for their time. */
export const listJobs = (db: Database, { state: asked, task, most }: Listing) => allRows<ListedJob>(db)`
    select * from (
      select id, task, ${state} as state, ${since} as since, attempts, deaths,
        case when failed_at is null and held_by is null then run_at end as next_at, left(last_error, 200) as last_error
      from jobs) j
    where (${asked ?? null}::text is null and state <> 'later' or state = ${asked ?? null})
      and (${task ?? null}::text is null or task = ${task ?? null})
    order by array_position(array['failed', 'retrying', 'running', 'waiting', 'later'], state), since, id
    limit ${most}`

export const showJob = (db: Database, id: number) => firstRow<ListedJob & { lane: string | null; payload: string }>(db)`
    select id, task, ${state} as state, ${since} as since, attempts, deaths, lane,
      case when failed_at is null and held_by is null then run_at end as next_at, last_error, payload::text
    from jobs where id = ${id}`

export type Chosen = { id: number } | { task: string }

const failing = sql`held_by is null and failing_since is not null`
const chosen = (which: Chosen) => ('id' in which ? sql`id = ${which.id}` : sql`task = ${which.task} and ${failing}`)

/** Due now, with all its tries before it. Returns how many it were; one that runs stays as it is. */
export const retryJobs = async (db: Database, which: Chosen): Promise<number> => {
  const { rows } = await sql`
    with again as (
      update jobs set failed_at = null, failing_since = null, attempts = 0, deaths = 0, run_at = now()
      where held_by is null and ${chosen(which)} returning lane
    ), lanes as (
      insert into job_lanes (name) select distinct lane from again where lane is not null on conflict do nothing
    ), told as (select pg_notify('jobs', ''))
    select from again, told`.execute(db)
  return rows.length
}

/** Returns how many it were; one that runs stays as it is. */
export const dropJobs = async (db: Database, which: Chosen): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    delete from jobs where held_by is null and ${chosen(which)}`.execute(db)
  return Number(numAffectedRows)
}
