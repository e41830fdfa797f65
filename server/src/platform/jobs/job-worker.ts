import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger as Log } from 'pino'
import { company } from './crash-suspects.ts'
import { addMoments, addScheduled, type ScheduledTask } from './job-schedule.ts'
import type { Task } from './jobs.ts'
import { connectJobs, deathsMax, type EndedJob, type HeldJob, type JobsConnection } from './jobs-store.ts'
import { runJob } from './run-job.ts'

export type Jobs = { close(): Promise<void> }

export type JobsOptions = {
  url: string
  tasks: Record<string, Task>
  /** Tasks that other queues work on. A job of a task that is in neither fails. */
  others?: readonly string[]
  /** Recurring tasks. */
  schedule?: readonly ScheduledTask[]
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
const momentEveryMs = 1_000
/** How long running jobs may take to finish when the service stops; the next process does the rest. */
const finishWithinMs = 5_000
/** Jobs that do not finish are given back, which counts as no death. */
const giveBackWithinMs = 500

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
      await Promise.race([working, sleep(giveBackWithinMs)])
    },
  }
}

class JobWorker {
  readonly #options: JobsOptions
  readonly #running = new Map<string, HeldJob>()
  /** Kept until they are completed in the database, over however many connections that takes. */
  #ended: EndedJob[] = []
  #stopping: 'no' | 'when done' | 'now' = 'no'
  /** The name of the last connection: the jobs in hand are held under it. */
  #name: string | undefined
  #recoverAt = 0
  #scheduleAt = 0
  #momentAt = 0
  #woken = false
  #stopResting = () => {}

  constructor(options: JobsOptions) {
    this.#options = options
  }

  async connect(): Promise<JobsConnection> {
    const { url, tasks, others: known = [] } = this.#options
    const jobs = [...this.#running.values(), ...this.#ended.map(({ job }) => job)]
    const held = this.#name === undefined ? undefined : { by: this.#name, jobs }
    const opened = await connectJobs({ url, tasks: Object.keys(tasks), known, held, wake: () => this.#wake() })
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
        if (!more && !this.#isDone()) await this.#rest(Math.min(pollMs, company.closedForMs || pollMs))
      } catch (err) {
        if (connection) log.warn({ err }, 'the job queue lost its database; it is opened again')
        connection?.close()
        connection = undefined
        await sleep(pauseMs * (0.5 + Math.random()))
        pauseMs = Math.min(pauseMs * 2, reconnectMs.most)
      }
    }
    const unfinished = [...this.#running.values()].map((job): EndedJob => ({ job, outcome: { is: 'interrupted' } }))
    await connection?.giveBack(unfinished).catch(() => {})
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

  /** Resolves with whether there may be more to do at once. */
  async #turn(connection: JobsConnection): Promise<boolean> {
    const giving = [...this.#ended]
    const taken = await this.#exchange(connection, giving)
    this.#ended = this.#ended.slice(giving.length)
    for (const job of taken) this.#start(job)
    if (this.#stopping === 'no') await this.#lookAround(connection)
    return taken.length > 0
  }

  async #exchange(connection: JobsConnection, giving: readonly EndedJob[]): Promise<HeldJob[]> {
    if (this.#stopping === 'no' && company.closedForMs === 0) {
      const places = this.#placesLeft()
      return giving.length > 0 ? connection.giveBackAndTake(giving, places) : connection.take(places)
    }
    if (giving.length > 0) await connection.giveBack(giving)
    return []
  }

  #placesLeft() {
    const loose = [...this.#running.values()].filter(({ lane }) => lane === null)
    return (this.#options.atOnce ?? 8) - loose.length
  }

  #start(job: HeldJob) {
    const { tasks, log } = this.#options
    const task = Object.hasOwn(tasks, job.task) ? tasks[job.task] : undefined
    this.#running.set(job.id, job)
    company.begin(job.id, job.deaths >= deathsMax.inCompany)
    void runJob(job, { task, log, isStopping: () => this.#stopping !== 'no' }).then(outcome => {
      company.end(job.id)
      this.#running.delete(job.id)
      this.#ended.push({ job, outcome })
      this.#wake()
    })
  }

  async #lookAround(connection: JobsConnection) {
    const now = performance.now()
    const recovers = now >= this.#recoverAt
    if (recovers) {
      await connection.recover()
      this.#recoverAt = now + this.#recoverEveryMs
    }
    if (now >= this.#momentAt && company.admitsSuspect(recovers)) {
      const suspect = await connection.takeSuspect()
      if (suspect) this.#start(suspect)
    }
    const { schedule = [] } = this.#options
    if (now >= this.#momentAt) {
      await addMoments(connection, schedule)
      this.#momentAt = now + momentEveryMs
    }
    if (now >= this.#scheduleAt) {
      await addScheduled(connection, schedule)
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
