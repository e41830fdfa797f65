import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, Logger, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger as Log } from 'pino'
import { askedBy, requestNow } from './asked-by.ts'
import type { Db, Transaction } from './database.ts'

/** Does one kind of job. It may run twice with the same payload (a crash, a broken connection), so rows decide what is left to do. */
// biome-ignore lint/suspicious/noExplicitAny: the payload is what the same slice gave to addJob, as JSON.
export type Task = (payload: any) => Promise<void>

export type Jobs = { close(): Promise<void> }

export type JobsOptions = {
  url: string
  tasks: Record<string, Task>
  /** Lines like `0 * * * * tidyUp`: one process of all does it. */
  crontab?: string
  log: Pick<Log, 'warn' | 'error'>
  atOnce?: number
  /** How late a job that was added for later may begin; one that is due at once begins at once. */
  pollMs?: number
  /** How often to look for jobs of processes that are gone. */
  recoverEveryMs?: number
}

export type JobTiming = {
  afterMs?: number
  /** Jobs of one lane run one after the other, so that slow ones leave the other places free. */
  lane?: string
}

/** Adds a job in the caller's transaction: it runs if that commits. It remembers the request that it is added for. */
export const addJob = async (tx: Transaction, task: string, payload: object, { afterMs = 0, lane }: JobTiming = {}) => {
  const kept = JSON.stringify({ ...payload, [requestKey]: requestNow() })
  await sql`select from graphile_worker.add_job(${task}, ${kept}::json, queue_name => ${lane ?? null},
    run_at => now() + make_interval(secs => ${afterMs / 1000}))`.execute(tx)
}

/** In a job's payload: no slice names a field so. */
const requestKey = '_request'

/** How many jobs of each task wait (and are due), run, failed and are tried again, or failed for good. */
export const countJobs = async (db: Db) => {
  const { rows } = await sql<{ task: string; state: string; count: number }>`
    select task_identifier as task, case when attempts >= max_attempts then 'failed' when locked_at is not null then 'running'
      when last_error is not null then 'retrying' else 'waiting' end as state, count(*) as count
    from graphile_worker.jobs
    where run_at <= now() or last_error is not null group by 1, 2`.execute(db)
  return rows
}

/** Brings the queue's own tables (schema graphile_worker) to the version that this program needs. */
export const migrateJobs = (url: string) => runMigrations({ connectionString: url, logger: silent })

const silent = new Logger(() => () => {})
const reopenAfterMs = 1_000

/** Works on jobs in this process until closed, through every loss of the database. */
export const openJobs = async (options: JobsOptions): Promise<Jobs> => {
  const { url, log, atOnce = 8, recoverEveryMs = 5_000 } = options
  const closing = new AbortController()
  const pool = new pg.Pool({ connectionString: url, max: atOnce + 2, application_name: 'afterglow jobs', ...deadPeers })
  pool.on('error', err => {
    if (!closing.signal.aborted) log.warn({ err }, 'an idle connection of the job queue broke')
  })
  pool.on('connect', client => client.on('error', () => {}))

  let open = await openRunner(pool, options)
  const pause = () => sleep(reopenAfterMs, null, { signal: closing.signal }).catch(() => {})
  const reopen = async () => {
    while (!closing.signal.aborted) {
      try {
        await pool.query('select')
        await open.close()
        return await openRunner(pool, options)
      } catch {
        await pause()
      }
    }
    return open
  }
  const supervise = async () => {
    while (!closing.signal.aborted) {
      await open.ended
      if (closing.signal.aborted) return
      log.warn('the job queue lost its database; it is opened again')
      open = await reopen()
    }
  }
  const supervised = supervise()
  const recovery = setInterval(() => {
    recover(pool).catch(() => {})
  }, recoverEveryMs)
  recovery.unref()

  return {
    async close() {
      closing.abort()
      clearInterval(recovery)
      await open.close()
      await supervised
      // One that was just being opened again.
      await open.close()
      await pool.end()
    },
  }
}

/** Without these a peer that lost its power would hold its locks for two hours. */
const deadPeers = {
  keepAlive: true,
  options: '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
}

type OpenRunner = {
  /**
   * Resolves when it stops, or loses a connection. The queue then goes on by itself, but may have been given jobs that it
   * never heard of, and a first look that fails is kept for good: only a new one is sure to do everything.
   */
  ended: Promise<void>
  /** Waits for the jobs under way; safe to repeat. */
  close(): Promise<void>
}

const openRunner = async (pool: pg.Pool, options: JobsOptions): Promise<OpenRunner> => {
  const { tasks, crontab, log, atOnce = 8, pollMs = 500 } = options
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const events: WorkerEvents = new EventEmitter()
  const holding = new Promise<() => void>((resolve, reject) => {
    events.once('pool:create', ({ workerPool }) => hold(pool, workerPool.id, end).then(resolve, reject))
  })
  holding.catch(end)
  const letGo = () =>
    holding.then(
      release => release(),
      () => {},
    )
  await recover(pool)
  const running = run({
    pgPool: pool,
    taskList: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => {
        const tell = (err: unknown, request: string | undefined, { id, attempts, max_attempts }: Job) => {
          const fields = { err, task: name, job: id, attempt: attempts, request }
          if (attempts >= max_attempts) log.error(fields, 'a job failed for good')
          else if (attempts === 1) log.error(fields, 'a job failed; it is tried again')
          else log.warn(fields, 'a job failed again; it is tried on')
          throw err
        }
        const work = (kept: unknown, { job }: { job: Job }) => {
          const { [requestKey]: request, ...payload } = kept as Record<string, unknown> & { [requestKey]?: string }
          return askedBy(request, () => task(payload)).catch(err => tell(err, request, job))
        }
        return [name, work]
      }),
    ),
    crontab: crontab ?? '',
    noHandleSignals: true,
    events,
    logger: new Logger(() => (level, message) => {
      // What follows the first words may quote what somebody wrote.
      const [said = ''] = message.split(':')
      if ((level === 'error' || level === 'warning') && !said.startsWith('Failed task'))
        log.warn({ queue: said }, 'the job queue reports a fault')
      if (message.includes('fetching jobs')) end()
    }),
    preset: { worker: { concurrentJobs: atOnce, pollInterval: pollMs, localQueue: { size: atOnce } } },
  })
  running.catch(letGo)
  const runner = await running
  runner.promise.then(end, end)
  let closed: Promise<void> | null = null
  return {
    ended,
    close() {
      closed ??= runner
        .stop()
        .catch(() => {})
        .then(letGo)
      return closed
    },
  }
}

// A process that is killed leaves its jobs locked, for four hours by the queue's own rule. So each keeps an advisory lock
// under its name, which ends with its connection: whoever can take that lock knows that its owner is gone.

const hold = async (pool: pg.Pool, owner: string, lost: () => void) => {
  const client = await pool.connect()
  client.on('error', lost)
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [owner])
  return () => client.release(true)
}

/** Frees the jobs of processes that are gone; not those just taken, whose owner may not have its lock yet. */
const recover = (pool: pg.Pool) =>
  pool.query(`
    with owners as materialized (
      select distinct locked_by from graphile_worker._private_jobs
      where locked_by is not null and locked_at < now() - interval '2 seconds'
    ), gone as materialized (
      select locked_by from owners where pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))
    )
    select graphile_worker.force_unlock_workers(array_agg(locked_by)) from gone having count(*) > 0`)
