import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, poolOf } from '../database/database.ts'
import { type GrowingTable, oldestRows } from '../database/growing-tables.ts'
import { type CountedJobs, countJobs } from '../jobs/operators-store.ts'
import { storedBytes } from '../media/quotas.ts'
import { processCounts } from '../process/process-counts.ts'
import { version } from '../process/version.ts'
import type { Counts } from './counts.ts'

/** Values looked up on each scrape. */
export type MetricSources = {
  counts: Counts
  /** Free bytes available to us on the data disk. */
  freeBytes(): Promise<number>
  freeBytesMin: number
  /** Connection pools by purpose. */
  pools: Record<string, Database>
  /** Tables whose rows expire. */
  growing: readonly GrowingTable[]
  isReady(): Promise<boolean>
  clockApartSeconds(): number | undefined
  sockets(): number
  /** Seconds since the oldest change that this process has not sent to its sockets; 0 if it has sent all. */
  relayLag(): Promise<number>
}

type Labels = Record<string, string | number>
type Figure = {
  name: string
  help: string
  labelNames?: string[]
  /** Undefined if nobody knows at the moment: it is left out. */
  read(): Values | Promise<Values | undefined>
}
type Values = [value: number, labels?: Labels][]

export const figuresOf = (measured: MetricSources): Figure[] => [
  ...processFigures(measured),
  ...databaseFigures(measured),
  ...fileFigures(measured),
]

const processFigures = (measured: MetricSources): Figure[] => [
  {
    name: 'afterglow_info',
    help: 'Which Afterglow this is.',
    labelNames: ['version'],
    read: () => [[1, { version }]],
  },
  {
    name: 'afterglow_processes_died',
    help: 'Processes behind this port that died and were started again, since their supervisor started.',
    read: () => [[processCounts()?.died ?? 0]],
  },
  {
    name: 'afterglow_sockets',
    help: 'Open sockets of the realtime channel.',
    read: () => [[measured.sockets()]],
  },
  {
    name: 'afterglow_relay_lag_seconds',
    help: 'How long the oldest change waits that this process has not told its sockets.',
    read: () => alone(measured.relayLag()),
  },
]

const databaseFigures = ({ pools, ...measured }: MetricSources): Figure[] => {
  const background = pools.background as Database
  return [
    {
      name: 'afterglow_database_up',
      help: 'Whether the database answers and takes writes. While it does not, what is read of it is left out.',
      read: async () => [[(await measured.isReady()) ? 1 : 0]],
    },
    {
      name: 'afterglow_clock_apart_seconds',
      help: 'How far the clock of this machine is from that of the database.',
      read: () => {
        const apart = measured.clockApartSeconds()
        return apart === undefined ? [] : [[apart]]
      },
    },
    {
      name: 'afterglow_database_connections',
      help: 'Connections to the database by pool: open ones, idle ones, and callers that wait for one.',
      labelNames: ['pool', 'state'],
      read: () =>
        Object.entries(pools).flatMap(([pool, db]): Values => {
          const { totalCount, idleCount, waitingCount } = poolOf(db)
          return [
            [totalCount, { pool, state: 'open' }],
            [idleCount, { pool, state: 'idle' }],
            [waitingCount, { pool, state: 'waiting' }],
          ]
        }),
    },
    ...jobFigures(background),
    {
      name: 'afterglow_table_oldest_seconds',
      help: 'How old the oldest row is of each table that is tidied: since it ended, or since it began.',
      labelNames: ['table'],
      read: async () =>
        (await inTime(oldestRows(background, measured.growing)))?.map(({ table, seconds }) => [seconds, { table }]),
    },
  ]
}

const jobFigures = (background: Database): Figure[] => {
  const read = async (figureOf: (counted: CountedJobs) => number, of: (counted: CountedJobs) => Labels) =>
    (await inTime(countJobs(background)))?.map((counted): Values[number] => [figureOf(counted), of(counted)])
  const labelsOf = ({ task, state }: CountedJobs) => ({ task, state })
  return [
    {
      name: 'afterglow_jobs',
      help: 'Jobs by task and state: waiting, running, retrying after a failure, failed for good.',
      labelNames: ['task', 'state'],
      read: () => read(({ count }) => count, labelsOf),
    },
    {
      name: 'afterglow_jobs_oldest_seconds',
      help: 'How long the oldest job of a task has been due, has run, has been retried, or has been given up.',
      labelNames: ['task', 'state'],
      read: () => read(({ seconds }) => seconds, labelsOf),
    },
    {
      name: 'afterglow_jobs_given_up',
      help: 'Jobs that failed for good within the last hour.',
      labelNames: ['task'],
      read: () =>
        read(
          ({ failed_lately: count }) => count,
          ({ task }) => ({ task }),
        ),
    },
  ]
}

const fileFigures = ({ pools, ...measured }: MetricSources): Figure[] => [
  {
    name: 'afterglow_disk_free_bytes',
    help: 'What is free on the disk of the data.',
    read: () => alone(measured.freeBytes()),
  },
  {
    name: 'afterglow_disk_free_bytes_min',
    help: 'Below so many free bytes uploads are refused (FREE_MB_MIN).',
    read: () => [[measured.freeBytesMin]],
  },
  {
    name: 'afterglow_stored_bytes',
    help: 'Bytes of all files of people: photos, films, exports and what is on its way.',
    read: () => alone(storedBytes(pools.background as Database)),
  },
]

const alone = async (reading: Promise<number>): Promise<Values | undefined> => {
  const value = await inTime(reading)
  return value === undefined ? undefined : [[value]]
}

const readWithinMs = 800

/** A scrape does not wait for the database: undefined if it does not answer in time. */
const inTime = <Value>(reading: Promise<Value>): Promise<Value | undefined> =>
  Promise.race([reading, sleep(readWithinMs, undefined, { ref: false })]).catch(() => undefined)
