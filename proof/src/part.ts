import type { MissingTool } from './missing-tool.ts'
import type { Run } from './test-bed.ts'

export type Part = {
  name: string
  /** What it promises, as a sentence that the table shows. */
  promise: string
  /** What one of its faults is called. */
  of: string
  /** How many by default and in the tests, and in a full run. */
  slice: number
  full: number
  /** Why it cannot run here; undefined when it can. */
  lacks?: () => MissingTool | undefined
  run(run: Run): Promise<void>
}
