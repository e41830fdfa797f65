import { availableParallelism } from 'node:os'
import type { Edit } from './instance/service.ts'
import type { MissingTool } from './missing-tool.ts'
import type { Part } from './part.ts'
import { randomOf } from './random.ts'
import { openReport, type Report } from './report.ts'

export type Proving = { seed: number; count: number; root: string; signal: AbortSignal; planted?: readonly Edit[] }
/** `left`: why it did not run. `broke`: the error that ended the part itself. */
export type PartResult = {
  part: Part
  seed: number
  count: number
  report: Report
  seconds: number
  left?: MissingTool
  broke?: string
}

/** Runs one part with a seed derived from its name, so that it draws the same values alone and among others. */
export const prove = async (part: Part, { seed, count, root, signal, planted }: Proving): Promise<PartResult> => {
  const report = openReport()
  const began = performance.now()
  const proved = () => ({ part, seed, count, report, seconds: (performance.now() - began) / 1000 })
  const left = part.lacks?.()
  if (left) return { ...proved(), left }
  // On one core more writers would only wait for each other.
  const writers = availableParallelism() > 1 ? 6 : 3
  try {
    const random = randomOf(seed).of(part.name)
    await part.run({ count, random, report, root, signal, writers, ...(planted && { planted }) })
    return proved()
  } catch (fault) {
    return { ...proved(), broke: (fault as Error).stack ?? String(fault) }
  }
}

export const hasFailed = ({ report, broke }: PartResult): boolean => report.findings.length > 0 || broke !== undefined
