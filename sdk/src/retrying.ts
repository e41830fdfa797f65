import { AfterglowError } from './failure.ts'

/** Waits before another try, in milliseconds: six minutes in all. */
export const retryDelaysMs = [0, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 60_000, 60_000, 60_000, 60_000]

/** Whether trying again would lead to the same: the service understood and refused. */
export const isLasting = (fault: unknown): boolean =>
  fault instanceof AfterglowError && fault.status < 500 && fault.status !== 429

/** Does the work until it succeeds, is refused for good, or every wait is used up. The work must bear being repeated. */
export const patiently = async <Result>(
  work: () => Promise<Result>,
  delaysMs: readonly number[],
  signal?: AbortSignal,
): Promise<Result> => {
  for (const delay of delaysMs) {
    try {
      return await work()
    } catch (fault) {
      if (isLasting(fault) || signal?.aborted) throw fault
      const after = fault instanceof AfterglowError ? (fault.retryAfterSeconds ?? 0) * 1000 : 0
      await pause(Math.max(delay, after), signal)
    }
  }
  return work()
}

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
