import type { Run } from './ground.ts'

export type Part = {
  name: string
  /** What it promises, as a sentence that the table shows. */
  promise: string
  /** What one of its faults is called. */
  of: string
  /** How many by default, and in a full run. */
  slice: number
  full: number
  /** Runs by default among the ordinary tests. */
  inTests?: true
  /** Why it cannot run here; undefined when it can. */
  lacks?: () => Promise<string | undefined> | string | undefined
  run(run: Run): Promise<void>
}
