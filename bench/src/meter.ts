import type { LoadResult, Side, Slice } from './figures.ts'
import { cpuSecondsOf, machineCpuSeconds, takeCensus } from './processes.ts'

/**
 * Processes by pid. The CPU time of the server (null: none takes part) and of PostgreSQL counts, whose postmaster this
 * is.
 */
export type MeteredProcesses = {
  server: number | null
  postgres: number
}

/** Starts metering; the returned function stops it and returns the CPU milliseconds per operation. */
export const meter = ({ server, postgres }: MeteredProcesses) => {
  const read = () => {
    const census = takeCensus()
    const { user, system } = process.cpuUsage()
    return {
      server: server === null ? 0 : cpuSecondsOf(server, census, postgres),
      postgres: cpuSecondsOf(postgres, census),
      ours: (user + system) / 1e6,
      machine: machineCpuSeconds(),
      at: performance.now(),
    }
  }
  const before = read()
  return (operations: number): Slice => {
    const after = read()
    const used = (part: 'server' | 'postgres' | 'ours' | 'machine') => after[part] - before[part]
    const each = (cpuSeconds: number) => (cpuSeconds * 1000) / operations
    const strangers = (used('machine') - used('server') - used('postgres') - used('ours')) * 1000
    return {
      cpu: each(used('server') + used('postgres')),
      serverCpu: each(used('server')),
      postgresCpu: each(used('postgres')),
      strangers: Math.max(0, strangers / (after.at - before.at)),
    }
  }
}

/** A side that runs for this many seconds, with the cost of an operation. */
export const meteredSide = (metered: MeteredProcesses, work: (seconds: number) => Promise<LoadResult>): Side => ({
  async run(seconds) {
    const spent = meter(metered)
    const { operations, seconds: took, p50, p99 } = await work(seconds)
    return { rate: operations / took, p50, p99, ...spent(operations) }
  },
})
