import type { Goal } from './goals.ts'

/** What can be measured of one side in one round. */
export const figures = {
  rate: { unit: '/s', better: 'more' },
  p50: { unit: 'ms', better: 'less' },
  p99: { unit: 'ms', better: 'less' },
  /** CPU time an operation of the server process and of all of PostgreSQL together. */
  cpu: { unit: 'ms', better: 'less' },
  memory: { unit: 'MiB', better: 'less' },
  time: { unit: 's', better: 'less' },
  /** A multiple: of the slowest to the median, or of the end to the beginning. */
  multiple: { unit: '×', better: 'less' },
  slope: { unit: ' MiB/min', better: 'less' },
  refused: { unit: '', better: 'less' },
  people: { unit: '', better: 'more' },
} as const

export type Figure = keyof typeof figures

/** One side's figures of one round; `strangers`: the cores that programs outside of the bench took meanwhile. */
export type Slice = Partial<Record<Figure | 'serverCpu' | 'postgresCpu' | 'strangers', number>>

/** What was done in one turn; times in milliseconds. */
export type Worked = { operations: number; seconds: number; p50: number; p99: number }

/** One program under measurement: a ceiling, or the service. */
export type Side = {
  /** Serves for so many seconds; throws Void when a single operation failed. */
  run(seconds: number): Promise<Slice>
  /** Instead of a short run: what has to happen before the first round. */
  warm?(): Promise<unknown>
}

/** An operation failed, so the figures of this run mean nothing. */
export class Void extends Error {
  override name = 'Void'
}

/** Work that is measured once and judged by one goal or several. */
export type Duel = {
  goals: readonly Goal[]
  ceiling?: Side
  ours: Side
  /** Once, after the last round, whatever happened. */
  end?(): Promise<unknown>
  /** A round that is one event, such as a start, takes as long as it takes: this many rounds instead of the run's. */
  rounds?: number
}

/** What has been measured already, as a row. */
export const told = (goal: Goal, slice: Slice): Duel => ({
  goals: [goal],
  ours: { warm: async () => {}, run: async () => slice },
  rounds: 1,
})
