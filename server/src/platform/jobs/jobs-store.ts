import { randomUUID } from 'node:crypto'
import { type Connection, newConnection } from '../database/connection.ts'

/** A job that this process holds. */
export type HeldJob = {
  id: string
  task: string
  payload: Record<string, unknown>
  attempts: number
  /** The lane that it also holds. */
  lane: string | null
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
    await client.query('listen jobs')
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
  const lanes = jobs.flatMap(({ lane }) => lane ?? [])
  await client.query(`update jobs set held_by = case when id = any($3::bigint[]) then $1 end where held_by = $2`, [
    name,
    by,
    jobs.map(({ id }) => id),
  ])
  await client.query(`update job_lanes set held_by = case when name = any($3::text[]) then $1 end where held_by = $2`, [
    name,
    by,
    lanes,
  ])
  await client.query('commit')
}

/**
 * The first due job of every free lane, however long the lanes are, and as many as requested of those without a lane. A
 * lane is locked before its first job is read, so no two processes work on one.
 */
const takeText = `
  with loose as materialized (
    select id from jobs
    where held_by is null and failed_at is null and lane is null and run_at <= now() and task = any($2::text[])
    order by priority, run_at, id limit $3 for update skip locked
  ), lanes as materialized (
    select l.name from job_lanes l
    where l.held_by is null and exists (
      select from jobs j where j.lane = l.name and j.held_by is null and j.failed_at is null and j.run_at <= now()
        and j.task = any($2::text[]))
    for update skip locked
  ), laned as materialized (
    select first.id, lanes.name from lanes cross join lateral (
      select j.id from jobs j
      where j.lane = lanes.name and j.held_by is null and j.failed_at is null and j.run_at <= now()
        and j.task = any($2::text[])
      order by j.priority, j.run_at, j.id limit 1 for update skip locked
    ) first
  ), held as (
    update job_lanes l set held_by = $1 from laned where l.name = laned.name
  )
  update jobs j set attempts = j.attempts + 1, held_by = $1
  from (select id from loose union all select id from laned) chosen
  where j.id = chosen.id
  returning j.id::text, j.task, j.payload, j.attempts, j.lane`

/** So a job is tried for about four days. */
export const attemptsMax = 25

/** A failed job is due again after 3 s, 7 s, 20 s, and so on, up to six hours. */
const giveBackText = `
  with done as (
    delete from jobs j using unnest($2::bigint[]) ended (id)
    where j.id = ended.id and j.held_by = $1 returning j.lane
  ), failed as (
    update jobs j set last_error = ended.fault, held_by = null,
      failed_at = case when j.attempts >= ${attemptsMax} then now() end,
      run_at = greatest(now(), j.run_at) + exp(least(j.attempts, 10)) * interval '1 second'
    from unnest($3::bigint[], $4::text[]) ended (id, fault)
    where j.id = ended.id and j.held_by = $1 returning j.lane
  )
  update job_lanes l set held_by = null
  from (select lane from done union all select lane from failed) ended
  where l.name = ended.lane and l.held_by = $1`

const recoverText = `
  with owners as materialized (
    select held_by from jobs where held_by is not null and held_by <> $1
    union
    select held_by from job_lanes where held_by is not null and held_by <> $1
  ), gone as materialized (
    select held_by from owners where pg_try_advisory_xact_lock(hashtextextended(held_by, 0))
  ), lanes as (
    update job_lanes l set held_by = null from gone where l.held_by = gone.held_by
  )
  update jobs j set held_by = null from gone where j.held_by = gone.held_by`
