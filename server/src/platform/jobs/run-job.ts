import { askedBy } from '../observability/request-context.ts'
import type { JobsOptions } from './job-worker.ts'
import { defaultLimits, GiveUp, requestKey, type Task } from './jobs.ts'
import { deathsMax, type HeldJob, type Outcome } from './jobs-store.ts'

type Running = Pick<JobsOptions, 'log'> & {
  task: Task | undefined
  isStopping(): boolean
}

/** Runs a job until it ends or its deadline has passed, and says what becomes of it. Never rejects. */
export const runJob = async (job: HeldJob, { task, log, isStopping }: Running): Promise<Outcome> => {
  const { tries, minutes, retryMinutes } = { ...defaultLimits, ...task }
  const about = { task: job.task, job: job.id, attempt: job.attempts }
  const giveUp = async (fault: string, more?: object): Promise<Outcome> => {
    log.error({ ...about, fault, ...more }, 'a job failed for good')
    try {
      await task?.givenUp?.(readPayload(job.payload))
    } catch (err) {
      log.error(
        { ...about, err: faultOf(err) },
        'what a job that failed for good leaves behind could not be put in order',
      )
    }
    return { is: 'given up', fault }
  }
  if (job.deaths >= deathsMax.inAll) return giveUp(`Its process ended ${job.deaths} times while it ran.`)
  if (job.attempts > tries) return giveUp(`It was tried ${tries} times.`)
  let request: unknown
  try {
    const { [requestKey]: asked, ...payload } = readPayload(job.payload)
    request = asked
    if (!task) throw new Error('nobody knows this task')
    await inTime(minutes, late => askedBy(request as string | undefined, async () => task(payload, late)))
    return { is: 'done' }
  } catch (err) {
    // The next process does it.
    if (isStopping()) return { is: 'interrupted' }
    const fault = faultOf(err)
    if (err instanceof GiveUp) return { ...(await giveUp(fault, { request })), kept: err.kept } as Outcome
    if (job.attempts >= tries) return giveUp(fault, { request })
    const fields = { ...about, err: err instanceof Error ? err : fault, request }
    if (job.attempts === 1) log.error(fields, 'a job failed; it is tried again')
    else log.warn(fields, 'a job failed again; it is tried on')
    const seconds = Math.min(Math.exp(Math.min(job.attempts, 10)), retryMinutes * 60)
    return { is: 'failed', fault, againInSeconds: seconds * (0.75 + Math.random() / 4) }
  }
}

const readPayload = (text: string): Record<string, unknown> => {
  const payload: unknown = JSON.parse(text)
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new Error('its payload is not an object')
  return payload as Record<string, unknown>
}

/** A task that does not end is left behind at its deadline. */
const inTime = async (minutes: number, run: (late: AbortSignal) => Promise<void>) => {
  const late = new AbortController()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const fault = new Error(`it did not end within ${minutes} minutes`)
    late.abort(fault)
    reject(fault)
  }, minutes * 60_000)
  await Promise.race([run(late.signal), deadline]).finally(() => clearTimeout(timer))
}

const faultLengthMax = 2_000
/** As PostgreSQL accepts it, of whatever was thrown. */
const faultOf = (thrown: unknown) => {
  try {
    return String(thrown).slice(0, faultLengthMax).toWellFormed().replaceAll('\0', '')
  } catch {
    return 'what it threw cannot be read'
  }
}
