import { randomUUID } from 'node:crypto'
import { type Connection, newConnection } from '../database/connection.ts'

/** A job that this process holds. */
export type HeldJob = {
  id: string
  task: string
  /** As JSON that nobody has read yet. */
  payload: string
  attempts: number
  /** How often its process died while it worked on it. */
  deaths: number
  /** The lane that it also holds. */
  lane: string | null
}

/** How a job ended. One that was interrupted by a stop has not been tried. */
export type Outcome =
  | { is: 'done' | 'interrupted' }
  | { is: 'failed'; fault: string; againInSeconds: number }
  /** `kept` replaces its payload. */
  | { is: 'given up'; fault: string; kept?: object }

export type EndedJob = { job: Pick<HeldJob, 'id' | 'lane'>; outcome: Outcome }

export type JobsConnection = Awaited<ReturnType<typeof connectJobs>>

type Connecting = {
  url: string
  /** The tasks to fetch. */
  tasks: readonly string[]
  /** Tasks that other queues of this version fetch. A job in neither list fails. */
  known: readonly string[]
  /** The jobs this process is still working on, and the name of the lost connection under which they were fetched. */
  held?: { by: string; jobs: readonly Pick<HeldJob, 'id' | 'lane'>[] } | undefined
  /** There is something to do, or the connection is lost. */
  wake(): void
}

/**
 * One connection for everything a queue does: fetching jobs, completing them and listening. It holds an advisory lock
 * under its name, which ends with it: anybody who can take that lock knows that the owner of these jobs is gone.
 */
export const connectJobs = async ({ url, tasks, known, held, wake }: Connecting) => {
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
    const values = [name, tasks, most, known]
    const { rows } = await client.query({ name: 'take', text: takeText, values })
    return rows
  }
  const giveBack = async (ended: readonly EndedJob[]) => {
    const rows = ended.map(({ job, outcome }) => ({ id: job.id, ...outcome }))
    await client.query({ name: 'give back', text: giveBackText, values: [name, JSON.stringify(rows)] })
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
    /** Takes a job that may have killed its process. */
    async takeSuspect(): Promise<HeldJob | undefined> {
      const { rows } = await client.query({ name: 'suspect', text: suspectText, values: [name, tasks, known] })
      return rows[0]
    },
    /** Frees the jobs of processes that are gone: each waits like one that failed. */
    async recover() {
      await client.query(recoverText, [name])
    },
    query: (text: string, values: unknown[]) => client.query(text, values),
    close: () => drop(client),
  }
}

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

/** From this many deaths on, a job runs without company; after the last one it is given up. */
export const deathsMax = { inCompany: 2, inAll: 3 }

/** A task that nobody knows may be one of a newer version, whose processes take it at once. */
const isMine = (tasks: string, known: string) =>
  `(j.task = any(${tasks}::text[])
    or j.task <> all(${tasks}::text[] || ${known}::text[]) and j.run_at <= now() - interval '10 seconds')`
const isDue = 'j.held_by is null and j.failed_at is null and j.run_at <= now()'
const isHarmless = `j.deaths < ${deathsMax.inCompany}`
/** No counter overflows, whatever is in the row. */
const hold = `attempts = least(j.attempts::int + 1, 30000), held_by = $1, held_since = now()`
const held = 'j.id::text, j.task, j.payload::text, j.attempts, j.deaths, j.lane'

/**
 * The first due job of every free lane, however long the lanes are, and as many as requested of those without a lane. A
 * lane is locked before its first job is read, so no two processes work on one.
 */
const takeText = `
  with loose as materialized (
    select j.id from jobs j where ${isDue} and ${isHarmless} and j.lane is null and ${isMine('$2', '$4')}
    order by j.priority, j.run_at, j.id limit $3 for update skip locked
  ), lanes as materialized (
    select l.name from job_lanes l
    where l.held_by is null and exists (
      select from jobs j where j.lane = l.name and ${isDue} and ${isHarmless} and ${isMine('$2', '$4')})
    for update skip locked
  ), laned as materialized (
    select first.id, lanes.name from lanes cross join lateral (
      select j.id from jobs j where j.lane = lanes.name and ${isDue} and ${isHarmless} and ${isMine('$2', '$4')}
      order by j.priority, j.run_at, j.id limit 1 for update skip locked
    ) first
  ), held as (
    update job_lanes l set held_by = $1 from laned where l.name = laned.name
  )
  update jobs j set ${hold}
  from (select id from loose union all select id from laned) chosen
  where j.id = chosen.id
  returning ${held}`

/** Others of its lane may have passed it. */
const suspectText = `
  with chosen as materialized (
    select j.id, j.lane from jobs j left join job_lanes l on l.name = j.lane
    where ${isDue} and not ${isHarmless} and l.held_by is null and ${isMine('$2', '$3')}
    order by j.run_at, j.id limit 1 for update of j skip locked
  ), lane as (
    update job_lanes l set held_by = $1 from chosen where l.name = chosen.lane and l.held_by is null returning l.name
  )
  update jobs j set ${hold} from chosen
  where j.id = chosen.id and (chosen.lane is null or exists (select from lane))
  returning ${held}`

const giveBackText = `
  with ended as materialized (
    select * from json_to_recordset($2::json)
      as ended (id bigint, "is" text, fault text, "againInSeconds" float8, kept json)
  ), done as (
    delete from jobs j using ended where ended."is" = 'done' and j.id = ended.id and j.held_by = $1 returning j.lane
  ), interrupted as (
    update jobs j set held_by = null, held_since = null, attempts = greatest(j.attempts - 1, 0)
    from ended where ended."is" = 'interrupted' and j.id = ended.id and j.held_by = $1 returning j.lane
  ), failed as (
    update jobs j set last_error = ended.fault, held_by = null, held_since = null,
      failing_since = coalesce(j.failing_since, now()), payload = coalesce(ended.kept, j.payload),
      failed_at = case when ended."is" = 'given up' then now() end,
      run_at = greatest(now(), j.run_at) + coalesce(ended."againInSeconds", 0) * interval '1 second'
    from ended where ended."is" in ('failed', 'given up') and j.id = ended.id and j.held_by = $1 returning j.lane
  )
  update job_lanes l set held_by = null
  from (select lane from done union all select lane from interrupted union all select lane from failed) ended
  where l.name = ended.lane and l.held_by = $1`

/** A job that died too often is due at once, because taking it gives it up. */
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
  update jobs j set held_by = null, held_since = null, deaths = least(j.deaths + 1, 100),
    last_error = 'The process that worked on it ended.', failing_since = coalesce(j.failing_since, now()),
    run_at = now() + case when j.deaths + 1 < ${deathsMax.inAll}
      then exp(least(j.attempts, 10)) * (0.75 + random() / 4) else 0 end * interval '1 second'
  from gone where j.held_by = gone.held_by`
