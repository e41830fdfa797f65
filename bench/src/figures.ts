import type { Goal } from './goals.ts'

/** The figures measured for one side in one round. */
export const figures = {
  rate: { unit: '/s', better: 'more' },
  p50: { unit: 'ms', better: 'less' },
  p99: { unit: 'ms', better: 'less' },
  /** CPU time per operation of the server process and PostgreSQL together. */
  cpu: { unit: 'ms', better: 'less' },
  memory: { unit: 'MiB', better: 'less' },
  time: { unit: 's', better: 'less' },
  /** A ratio: slowest to median, or end to beginning. */
  multiple: { unit: '×', better: 'less' },
  slope: { unit: ' MiB/min', better: 'less' },
  refused: { unit: '', better: 'less' },
  people: { unit: '', better: 'more' },
} as const

export type Figure = keyof typeof figures

/** One side's figures of one round; `strangers`: the cores used by other programs meanwhile. */
export type Slice = Partial<Record<Figure | 'serverCpu' | 'postgresCpu' | 'strangers', number>>

/** The work of one turn; times in milliseconds. */
export type LoadResult = { operations: number; seconds: number; p50: number; p99: number }

/** One program under measurement: a ceiling, or the service. */
export type Side = {
  /** Runs for this many seconds; throws Void if an operation failed. */
  run(seconds: number): Promise<Slice>
  /** Replaces the warm-up run: preparation before the first round. */
  warm?(): Promise<unknown>
}

/** An operation failed, so the figures of this run are void. */
export class Void extends Error {
  override name = 'Void'
}

/** Work that is measured once and judged by one or several goals. */
export type Duel = {
  goals: readonly Goal[]
  ceiling?: Side
  ours: Side
  /** Called once after the last round, whatever happened. */
  end?(): Promise<unknown>
  /** A round that is a single event, such as a start, takes as long as it takes: this many rounds replace the run's. */
  rounds?: number
}

/** Wraps an already measured figure as a row. */
export const told = (goal: Goal, slice: Slice): Duel => ({
  goals: [goal],
  ours: { warm: async () => {}, run: async () => slice },
  rounds: 1,
})
