import { AfterglowError, isLasting } from './failure.ts'

/** Delays before retries, in milliseconds: six minutes in total. */
export const retryDelaysMs = [0, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 60_000, 60_000, 60_000, 60_000]

/** Runs the work until it succeeds, is refused for good, or every delay is used up. The work must be repeatable. */
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
