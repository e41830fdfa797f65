import type { MissingTool } from './missing-tool.ts'
import type { Run } from './test-bed.ts'

export type Part = {
  name: string
  /** The promise it proves, as a sentence for the table. */
  promise: string
  /** The name of one fault, such as "kill". */
  of: string
  /** The default number of faults, in the tests too, and the number in a full run. */
  slice: number
  full: number
  /** Explains why it cannot run here; undefined if it can. */
  lacks?: () => MissingTool | undefined
  run(run: Run): Promise<void>
}
