import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger as Log } from 'pino'
import type { Db, Transaction } from '../database/database.ts'
import { askedBy, requestNow } from '../observability/request-context.ts'
import { addScheduled, type Scheduled } from './job-schedule.ts'
import { attemptsMax, connectJobs, type EndedJob, type HeldJob, type JobsConnection } from './jobs-store.ts'

/**
 * Runs one kind of job. It may run twice with the same payload (a crash, a broken connection), so rows decide what is
 * left to do.
 */
// biome-ignore lint/suspicious/noExplicitAny: the payload is what the same slice gave to addJob, as JSON.
export type Task = (payload: any) => Promise<void>

export type Jobs = { close(): Promise<void> }

export type JobsOptions = {
  url: string
  tasks: Record<string, Task>
  /** What is added again and again. */
  schedule?: readonly Scheduled[]
  log: Pick<Log, 'warn' | 'error'>
  /**
   * How many jobs without a lane run at once. In addition, each lane has a place of its own, so none waits for another.
   */
  atOnce?: number
  /** How late a job scheduled for later may start; one due at once starts at once. */
  pollMs?: number
  /** How often to look for jobs of processes that are gone. */
  recoverEveryMs?: number
}

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
const requestKey = '_request'

/** How many jobs of each task are waiting (and due), running, being retried after a failure, or failed for good. */
export const countJobs = async (db: Db) => {
  const { rows } = await sql<{ task: string; state: string; count: number }>`
    select task, case when failed_at is not null then 'failed' when held_by is not null then 'running'
      when last_error is not null then 'retrying' else 'waiting' end as state, count(*) as count
    from jobs where run_at <= now() or last_error is not null group by 1, 2`.execute(db)
  return rows
}

const reconnectMs = { least: 50, most: 300 }
const scheduleEveryMs = 20_000
/** How long running jobs may take to finish when the service stops; the next process does the rest. */
const finishWithinMs = 5_000

/**
 * Works on jobs in this process until closed, surviving every loss of the database
 * (docs/decisions/jobs.md).
 */
export const openJobs = async (options: JobsOptions): Promise<Jobs> => {
  const { url, log, atOnce = 8, pollMs = 500, recoverEveryMs = 5_000 } = options
  const tasks = Object.keys(options.tasks)
  const running = new Map<string, HeldJob>()
  /** Kept until they are completed in the database, over however many connections that takes. */
  let ended: EndedJob[] = []
  let stopping: 'no' | 'when done' | 'now' = 'no'
  let woken = false
  let stopResting = () => {}
  const wake = () => {
    woken = true
    stopResting()
  }
  const rest = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, woken ? 0 : ms)
      stopResting = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const start = (job: HeldJob) => {
    running.set(job.id, job)
    void work(job, options, () => stopping !== 'no').then(fault => {
      running.delete(job.id)
      ended.push({ job, fault })
      wake()
    })
  }

  const first = await connectJobs({ url, tasks, wake })
  await first.recover()
  let { name } = first
  let recoverAt = performance.now() + recoverEveryMs
  let scheduleAt = 0

  const reconnect = async () => {
    const held = { by: name, jobs: [...running.values(), ...ended.map(({ job }) => job)] }
    const opened = await connectJobs({ url, tasks, held, wake })
    name = opened.name
    // Processes that lost their connection at the same moment are not gone: they get as long to come back.
    recoverAt = performance.now() + recoverEveryMs
    return opened
  }

  /** Whether there may be more to do at once. */
  const turn = async (connection: JobsConnection): Promise<boolean> => {
    const giving = [...ended]
    if (stopping !== 'no') {
      if (giving.length > 0) await connection.giveBack(giving)
      ended = ended.slice(giving.length)
      return false
    }
    const places = atOnce - [...running.values()].filter(({ lane }) => lane === null).length
    const taken = await (giving.length > 0 ? connection.giveBackAndTake(giving, places) : connection.take(places))
    ended = ended.slice(giving.length)
    for (const job of taken) start(job)
    const now = performance.now()
    if (now >= recoverAt) {
      await connection.recover()
      recoverAt = now + recoverEveryMs
    }
    if (now >= scheduleAt) {
      await addScheduled(connection, options.schedule ?? [])
      scheduleAt = now + scheduleEveryMs
    }
    return taken.length > 0
  }

  const isDone = () => stopping === 'now' || (stopping === 'when done' && running.size + ended.length === 0)
  const turnUntilDone = async () => {
    let connection: JobsConnection | undefined = first
    let pauseMs = reconnectMs.least
    while (!isDone()) {
      woken = false
      try {
        connection ??= await reconnect()
        const more = await turn(connection)
        pauseMs = reconnectMs.least
        if (!more && !isDone()) await rest(pollMs)
      } catch (err) {
        if (connection) log.warn({ err }, 'the job queue lost its database; it is opened again')
        connection?.close()
        connection = undefined
        await sleep(pauseMs * (0.5 + Math.random()))
        pauseMs = Math.min(pauseMs * 2, reconnectMs.most)
      }
    }
    connection?.close()
  }
  const turning = turnUntilDone()

  return {
    async close() {
      stopping = 'when done'
      wake()
      const late = new AbortController()
      await Promise.race([turning, sleep(finishWithinMs, null, { signal: late.signal })]).finally(() => late.abort())
      stopping = 'now'
      wake()
    },
  }
}

/** The error it failed with, if any. Never rejects. */
const work = async (job: HeldJob, { tasks, log }: JobsOptions, isStopping: () => boolean): Promise<string | null> => {
  const { [requestKey]: request, ...payload } = job.payload
  try {
    await askedBy(request as string | undefined, async () => tasks[job.task]?.(payload))
    return null
  } catch (err) {
    const fields = { err, task: job.task, job: job.id, attempt: job.attempts, request }
    // What a stop interrupts has not failed: the next process does it.
    if (isStopping()) return faultOf(err)
    if (job.attempts >= attemptsMax) log.error(fields, 'a job failed for good')
    else if (job.attempts === 1) log.error(fields, 'a job failed; it is tried again')
    else log.warn(fields, 'a job failed again; it is tried on')
    return faultOf(err)
  }
}

const faultLengthMax = 2_000
/** As PostgreSQL accepts it. */
const faultOf = (err: unknown) => String(err).slice(0, faultLengthMax).toWellFormed().replaceAll('\0', '')
