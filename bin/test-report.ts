import type { Tool } from '../server/test/tools.ts'

type Missing = Pick<Tool, 'name' | 'packages'>

/** Of vitest's JSON reporter. */
export type Report = {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  /** Skipped here. */
  numPendingTests: number
  testResults: { assertionResults: { meta?: { missing?: Missing[] } }[] }[]
}

/** The tools that this machine lacks, and how many tests were left out, or ran in part, for each. */
export function missingTools({ testResults }: Report): (Missing & { count: number })[] {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const first = tests.flatMap(({ meta }) => meta?.missing?.[0] ?? [])
  return [...Map.groupBy(first, ({ name }) => name).values()]
    .map(same => ({ ...(same[0] as Missing), count: same.length }))
    .sort((one, other) => other.count - one.count)
}
