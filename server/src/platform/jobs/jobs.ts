import type { Transaction } from '../database/database.ts'
import { run } from '../database/rows.ts'
import { requestNow } from '../observability/request-context.ts'

/**
 * Runs one kind of job. It may run twice with the same payload (a crash, a broken connection), so rows decide what is
 * left to do. `late` is aborted at the deadline.
 */
// biome-ignore lint/suspicious/noExplicitAny: the payload is what the same slice gave to addJob, as JSON.
export type Task<Payload = any> = ((payload: Payload, late?: AbortSignal) => Promise<void>) &
  Partial<TaskLimits<Payload>>

export type TaskLimits<Payload> = {
  /** Its deadline: a job that has not ended by then has failed, and its lane is free. Two minutes by default. */
  minutes: number
  /** How often it is tried before it is given up: by default 25 times, which takes about four days. */
  tries: number
  /** The longest wait between two tries; six hours by default. */
  retryMinutes: number
  /** Called when a job is given up. */
  givenUp(payload: Payload): Promise<unknown>
}

export const defaultLimits = { minutes: 2, tries: 25, retryMinutes: 6 * 60 }

/** A task with limits of its own. */
export const limited = <Payload>(
  limits: Partial<TaskLimits<Payload>>,
  run: (payload: Payload, late: AbortSignal) => Promise<void>,
): Task<Payload> => Object.assign((payload: Payload, late = new AbortController().signal) => run(payload, late), limits)

/** Thrown by a task: trying again is pointless, and the operator should know. `kept` replaces the payload. */
export class GiveUp extends Error {
  readonly kept: object
  constructor(message: string, kept: object) {
    super(message)
    this.kept = kept
  }
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
  await run(tx)`
    with lanes as (
      insert into job_lanes (name) select lane from (values (${lane ?? null}::text)) as asked (lane)
      where lane is not null on conflict do nothing)
    insert into jobs (task, payload, lane, priority, run_at)
    values (${task}, ${kept}::json, ${lane ?? null}, ${priority}, now() + make_interval(secs => ${afterMs / 1000}))`
}

/** A key in a job's payload that no slice uses. */
export const requestKey = '_request'
