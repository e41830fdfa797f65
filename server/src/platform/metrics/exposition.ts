import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric } from 'prom-client'
import { type Database, poolOf } from '../database/database.ts'
import { type GrowingTable, oldestRows } from '../database/growing-tables.ts'
import { countJobs } from '../jobs/jobs.ts'
import { storedBytes } from '../media/room.ts'
import { version } from '../process/version.ts'
import { bounds, type Counts } from './counts.ts'

/** What is looked up on each scrape. */
export type Measured = {
  counts: Counts
  /** Free bytes available to us on the data disk. */
  freeBytes(): Promise<number>
  freeBytesMin: number
  /** Connection pools by purpose. */
  pools: Record<string, Database>
  /** Tables whose rows expire. */
  growing: readonly GrowingTable[]
  isReady(): Promise<boolean>
  sockets(): number
  /** Seconds since the oldest change that this process has not sent to its sockets; 0 if it has sent all. */
  relayLag(): Promise<number>
}

/**
 * Produces the text that Prometheus scrapes. The library is loaded when metrics are first requested, because it stays
 * in memory.
 */
export const openExposition = async (measured: Measured): Promise<{ type: string; text(): Promise<string> }> => {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  // The process: CPU, memory, garbage collection, event-loop delay.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 })
  // Gauges with the name of a counter, which promtool rejects; each has a twin by type.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  registry.registerMetric(answerDurations(measured.counts) as unknown as Metric)
  const registers = [registry]

  new Gauge({
    name: 'afterglow_info',
    help: 'Which Afterglow this is.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  new Gauge({
    name: 'afterglow_sockets',
    help: 'Open sockets of the realtime channel.',
    registers,
    collect() {
      this.set(measured.sockets())
    },
  })
  new Gauge({
    name: 'afterglow_relay_lag_seconds',
    help: 'How long the oldest change waits that this process has not told its sockets.',
    registers,
    async collect() {
      this.reset()
      const lag = await inTime(measured.relayLag())
      if (lag === undefined) this.remove()
      else this.set(lag)
    },
  })
  new Gauge({
    name: 'afterglow_jobs',
    help: 'Jobs by task and state: waiting, running, retrying after a failure, failed for good.',
    labelNames: ['task', 'state'],
    registers,
    async collect() {
      this.reset()
      const counted = await inTime(countJobs(measured.pools.background as Database))
      for (const { task, state, count } of counted ?? []) this.set({ task, state }, count)
    },
  })
  new Gauge({
    name: 'afterglow_database_up',
    help: 'Whether the database answers and takes writes. While it does not, what is read of it is left out.',
    registers,
    async collect() {
      this.set((await measured.isReady()) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'afterglow_disk_free_bytes',
    help: 'What is free on the disk of the data.',
    registers,
    async collect() {
      this.reset()
      const free = await inTime(measured.freeBytes())
      if (free === undefined) this.remove()
      else this.set(free)
    },
  })
  new Gauge({
    name: 'afterglow_disk_free_bytes_min',
    help: 'Below so many free bytes uploads are refused (FREE_MB_MIN).',
    registers,
  }).set(measured.freeBytesMin)
  new Gauge({
    name: 'afterglow_stored_bytes',
    help: 'Bytes of all files of people: photos, films, exports and what is on its way.',
    registers,
    async collect() {
      this.reset()
      const bytes = await inTime(storedBytes(measured.pools.background as Database))
      if (bytes === undefined) this.remove()
      else this.set(bytes)
    },
  })
  new Gauge({
    name: 'afterglow_table_oldest_seconds',
    help: 'How old the oldest row is of each table that is tidied: since it ended, or since it began.',
    labelNames: ['table'],
    registers,
    async collect() {
      this.reset()
      const oldest = await inTime(oldestRows(measured.pools.background as Database, measured.growing))
      for (const { table, seconds } of oldest ?? []) this.set({ table }, seconds)
    },
  })
  new Gauge({
    name: 'afterglow_database_connections',
    help: 'Connections to the database by pool: open ones, idle ones, and callers that wait for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, db] of Object.entries(measured.pools)) {
        const { totalCount, idleCount, waitingCount } = poolOf(db)
        this.set({ pool, state: 'open' }, totalCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
  new Counter({
    name: 'afterglow_pushes_total',
    help: 'Pushes by platform and what became of them.',
    labelNames: ['platform', 'result'],
    registers,
    collect() {
      this.reset()
      for (const [platform, results] of measured.counts.pushes)
        for (const [result, count] of results) this.inc({ platform, result }, count)
    },
  })
  new Counter({
    name: 'afterglow_uploads_total',
    help: 'Files that came in whole, or not.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      for (const [result, { count }] of measured.counts.uploads) this.inc({ result }, count)
    },
  })
  new Counter({
    name: 'afterglow_upload_bytes_total',
    help: 'Bytes of the files that came in whole.',
    registers,
    collect() {
      this.reset()
      this.inc(measured.counts.uploads.get('taken')?.bytes ?? 0)
    },
  })
  return { type: registry.contentType, text: () => registry.metrics() }
}

const readWithinMs = 800

/** A scrape does not wait for the database: undefined if it does not answer in time. */
const inTime = <Value>(reading: Promise<Value>): Promise<Value | undefined> =>
  Promise.race([reading, sleep(readWithinMs, undefined, { ref: false })]).catch(() => undefined)

/** The library's own histogram would cost each request more than its log line; this one is filled when it is read. */
const answerDurations = (counts: Counts) => {
  const name = 'afterglow_request_duration_seconds'
  return {
    name,
    async get() {
      const values = [...counts.answers].flatMap(([operation, byStatus]) =>
        [...byStatus].flatMap(([status, { within, count, seconds }]) => {
          const labels = { operation, status }
          let below = 0
          const buckets = within.map((times, at) => {
            below += times
            return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: below }
          })
          return [
            ...buckets,
            { metricName: `${name}_sum`, labels, value: seconds },
            { metricName: `${name}_count`, labels, value: count },
          ]
        }),
      )
      const help = 'How long requests took, by operation and status.'
      return { name, help, type: 'histogram', values, aggregator: 'sum' }
    },
  }
}
