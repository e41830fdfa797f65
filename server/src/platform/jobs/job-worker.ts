import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger as Log } from 'pino'
import { askedBy } from '../observability/request-context.ts'
import { addScheduled, type Scheduled } from './job-schedule.ts'
import { requestKey, type Task } from './jobs.ts'
import { attemptsMax, connectJobs, type EndedJob, type HeldJob, type JobsConnection } from './jobs-store.ts'

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

const reconnectMs = { least: 50, most: 300 }
const scheduleEveryMs = 20_000
/** How long running jobs may take to finish when the service stops; the next process does the rest. */
const finishWithinMs = 5_000

/**
 * Works on jobs in this process until closed, surviving every loss of the database
 * (docs/decisions/jobs.md).
 */
export const openJobs = async (options: JobsOptions): Promise<Jobs> => {
  const worker = new JobWorker(options)
  const connection = await worker.connect()
  await connection.recover()
  const working = worker.workUntilStopped(connection)
  return {
    async close() {
      worker.stop('when done')
      const late = new AbortController()
      await Promise.race([working, sleep(finishWithinMs, null, { signal: late.signal })]).finally(() => late.abort())
      worker.stop('now')
    },
  }
}

class JobWorker {
  readonly #options: JobsOptions
  readonly #running = new Map<string, HeldJob>()
  /** Kept until they are completed in the database, over however many connections that takes. */
  #ended: EndedJob[] = []
  #stopping: 'no' | 'when done' | 'now' = 'no'
  /** Of the last connection: the jobs in hand are held under it. */
  #name: string | undefined
  #recoverAt = 0
  #scheduleAt = 0
  #woken = false
  #stopResting = () => {}

  constructor(options: JobsOptions) {
    this.#options = options
  }

  async connect(): Promise<JobsConnection> {
    const { url, tasks } = this.#options
    const jobs = [...this.#running.values(), ...this.#ended.map(({ job }) => job)]
    const held = this.#name === undefined ? undefined : { by: this.#name, jobs }
    const opened = await connectJobs({ url, tasks: Object.keys(tasks), held, wake: () => this.#wake() })
    this.#name = opened.name
    // Processes that lost their connection at the same moment are not gone: they get as long to come back.
    this.#recoverAt = performance.now() + this.#recoverEveryMs
    return opened
  }

  async workUntilStopped(first: JobsConnection) {
    const { log, pollMs = 500 } = this.#options
    let connection: JobsConnection | undefined = first
    let pauseMs = reconnectMs.least
    while (!this.#isDone()) {
      this.#woken = false
      try {
        connection ??= await this.connect()
        const more = await this.#turn(connection)
        pauseMs = reconnectMs.least
        if (!more && !this.#isDone()) await this.#rest(pollMs)
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

  stop(how: 'when done' | 'now') {
    this.#stopping = how
    this.#wake()
  }

  get #recoverEveryMs() {
    return this.#options.recoverEveryMs ?? 5_000
  }

  #isDone() {
    const inHand = this.#running.size + this.#ended.length
    return this.#stopping === 'now' || (this.#stopping === 'when done' && inHand === 0)
  }

  /** Whether there may be more to do at once. */
  async #turn(connection: JobsConnection): Promise<boolean> {
    const giving = [...this.#ended]
    if (this.#stopping !== 'no') {
      if (giving.length > 0) await connection.giveBack(giving)
      this.#ended = this.#ended.slice(giving.length)
      return false
    }
    const places = this.#placesLeft()
    const taken = await (giving.length > 0 ? connection.giveBackAndTake(giving, places) : connection.take(places))
    this.#ended = this.#ended.slice(giving.length)
    for (const job of taken) this.#start(job)
    await this.#lookAround(connection)
    return taken.length > 0
  }

  #placesLeft() {
    const loose = [...this.#running.values()].filter(({ lane }) => lane === null)
    return (this.#options.atOnce ?? 8) - loose.length
  }

  #start(job: HeldJob) {
    this.#running.set(job.id, job)
    void work(job, this.#options, () => this.#stopping !== 'no').then(fault => {
      this.#running.delete(job.id)
      this.#ended.push({ job, fault })
      this.#wake()
    })
  }

  async #lookAround(connection: JobsConnection) {
    const now = performance.now()
    if (now >= this.#recoverAt) {
      await connection.recover()
      this.#recoverAt = now + this.#recoverEveryMs
    }
    if (now >= this.#scheduleAt) {
      await addScheduled(connection, this.#options.schedule ?? [])
      this.#scheduleAt = now + scheduleEveryMs
    }
  }

  #wake() {
    this.#woken = true
    this.#stopResting()
  }

  #rest(ms: number) {
    return new Promise<void>(resolve => {
      const timer = setTimeout(resolve, this.#woken ? 0 : ms)
      this.#stopResting = () => {
        clearTimeout(timer)
        resolve()
      }
    })
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
