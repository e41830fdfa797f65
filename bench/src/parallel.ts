import type { LoadResult } from './figures.ts'
import { quantile } from './statistics.ts'

/** Repeats the work in parallel lanes for this many seconds; reports the count and the durations. */
export const inParallel = async (
  lanes: number,
  seconds: number,
  work: (lane: number) => Promise<unknown>,
): Promise<LoadResult> => {
  const latencies: number[] = []
  const began = performance.now()
  const endsAt = began + seconds * 1000
  const lane = async (_: unknown, number: number) => {
    for (let at = performance.now(); at < endsAt; ) {
      await work(number)
      const now = performance.now()
      latencies.push(now - at)
      at = now
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const took = (performance.now() - began) / 1000
  return { operations: latencies.length, seconds: took, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}
