import { randomUUID } from 'node:crypto'
import { type Connection, newConnection } from '../database/connection.ts'

/** A job that this process holds. */
export type HeldJob = {
  id: string
  task: string
  payload: Record<string, unknown>
  attempts: number
  max_attempts: number
  /** ID of the lane that it also holds. */
  lane: number | null
}

export type EndedJob = { job: Pick<HeldJob, 'id' | 'lane'>; fault: string | null }

export type JobsConnection = Awaited<ReturnType<typeof connectJobs>>

type Connecting = {
  url: string
  /** The tasks to fetch. */
  tasks: readonly string[]
  /** The jobs this process is still working on, and the name of the lost connection under which they were fetched. */
  held?: { by: string; jobs: readonly Pick<HeldJob, 'id' | 'lane'>[] } | undefined
  /** There is something to do, or the connection is lost. */
  wake(): void
}

/**
 * One connection for everything a queue does: fetching jobs, completing them and listening. It holds an advisory lock
 * under its name, which ends with it: whoever can take that lock knows that the owner of these jobs is gone.
 */
export const connectJobs = async ({ url, tasks, held, wake }: Connecting) => {
  const client = newConnection(url, { name: 'afterglow jobs', answersWithinMs: 10_000 })
  client.on('error', wake)
  client.on('notification', wake)
  const name = `afterglow-${randomUUID()}`
  try {
    await client.connect()
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    if (held) await adopt(client, name, held)
    await client.query('listen "jobs:insert"')
  } catch (error) {
    drop(client)
    throw error
  }

  const take = async (most: number): Promise<HeldJob[]> => {
    const { rows } = await client.query({ name: 'take', text: takeText, values: [name, tasks, most] })
    return rows
  }
  const giveBack = async (ended: readonly EndedJob[]) => {
    const done = ended.filter(({ fault }) => fault === null)
    const failed = ended.filter(({ fault }) => fault !== null)
    const values = [name, done.map(idOf), failed.map(idOf), failed.map(({ fault }) => fault)]
    await client.query({ name: 'give back', text: giveBackText, values })
  }

  return {
    name,
    take,
    giveBack,
    /** Both with one wait for the disk; the lanes of completed jobs are free for those fetched. */
    async giveBackAndTake(ended: readonly EndedJob[], most: number) {
      await client.query('begin')
      await giveBack(ended)
      const taken = await take(most)
      await client.query('commit')
      return taken
    },
    /** Frees the jobs of processes that are gone. */
    async recover() {
      await client.query(recoverText, [name])
    },
    query: (text: string, values: unknown[]) => client.query(text, values),
    close: () => drop(client),
  }
}

const idOf = ({ job }: EndedJob) => job.id

const closeWithinMs = 1_000

const drop = (client: Connection) => {
  client.end().catch(() => {})
  setTimeout(() => client.abandon(new Error('it did not end')), closeWithinMs).unref()
}

/** Jobs fetched by the lost connection that never arrived are free again. */
const adopt = async (client: Connection, name: string, { by, jobs }: NonNullable<Connecting['held']>) => {
  await client.query('begin')
  await client.query(
    'update graphile_worker._private_jobs set locked_by = $1 where locked_by = $2 and id = any($3::bigint[])',
    [name, by, jobs.map(({ id }) => id)],
  )
  await client.query(
    'update graphile_worker._private_job_queues set locked_by = $1 where locked_by = $2 and id = any($3::int[])',
    [name, by, jobs.flatMap(({ lane }) => lane ?? [])],
  )
  await client.query('select graphile_worker.force_unlock_workers(array[$1::text])', [by])
  await client.query('commit')
}

/** The first job of a lane is found without scanning the lane, or its neighbours. */
export const indexLanes = `
  do $$ begin
    if to_regclass('graphile_worker.jobs_of_lane') is null then
      perform pg_advisory_xact_lock(hashtextextended('graphile_worker.jobs_of_lane', 0));
      create index if not exists jobs_of_lane on graphile_worker._private_jobs (job_queue_id, priority, run_at, id)
        where is_available and job_queue_id is not null;
    end if;
  end $$`

/**
 * The first due job of every free lane, however long the lanes are, and as many as requested of those without a lane. A
 * lane is locked before its first job is read, so no two processes work on one.
 */
const takeText = `
  with wanted as materialized (
    select id from graphile_worker._private_tasks where identifier = any($2::text[])
  ), loose as materialized (
    select id from graphile_worker._private_jobs
    where is_available and job_queue_id is null and run_at <= now() and task_id in (select id from wanted)
    order by priority, run_at limit $3 for update skip locked
  ), lanes as materialized (
    select q.id from graphile_worker._private_job_queues q
    where q.is_available and exists (
      select from graphile_worker._private_jobs j
      where j.is_available and j.job_queue_id = q.id and j.run_at <= now() and j.task_id in (select id from wanted))
    for update skip locked
  ), laned as materialized (
    select first.id, lanes.id as lane from lanes cross join lateral (
      select j.id from graphile_worker._private_jobs j
      where j.is_available and j.job_queue_id = lanes.id and j.run_at <= now() and j.task_id in (select id from wanted)
      order by j.priority, j.run_at, j.id limit 1 for update skip locked
    ) first
  ), held as (
    update graphile_worker._private_job_queues q set locked_by = $1, locked_at = now()
    from laned where q.id = laned.lane
  )
  update graphile_worker._private_jobs j set attempts = j.attempts + 1, locked_by = $1, locked_at = now()
  from (select id from loose union all select id from laned) chosen, graphile_worker._private_tasks t
  where j.id = chosen.id and t.id = j.task_id
  returning j.id::text, t.identifier as task, j.payload, j.attempts, j.max_attempts, j.job_queue_id as lane`

/** A failed job is due again after 3 s, 7 s, 20 s, and so on. */
const giveBackText = `
  with done as (
    delete from graphile_worker._private_jobs j using unnest($2::bigint[]) ended (id)
    where j.id = ended.id and j.locked_by = $1 returning j.job_queue_id
  ), failed as (
    update graphile_worker._private_jobs j set last_error = ended.fault, locked_by = null, locked_at = null,
      run_at = greatest(now(), j.run_at) + exp(least(j.attempts, 10)) * interval '1 second'
    from unnest($3::bigint[], $4::text[]) ended (id, fault)
    where j.id = ended.id and j.locked_by = $1 returning j.job_queue_id
  )
  update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
  from (select job_queue_id from done union all select job_queue_id from failed) ended
  where q.id = ended.job_queue_id and q.locked_by = $1`

const recoverText = `
  with owners as materialized (
    select locked_by from graphile_worker._private_jobs where locked_by is not null and locked_by <> $1
    union
    select locked_by from graphile_worker._private_job_queues where locked_by is not null and locked_by <> $1
  ), gone as materialized (
    select locked_by from owners where pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))
  )
  select graphile_worker.force_unlock_workers(array_agg(locked_by)) from gone having count(*) > 0`
