import type { Tool } from '../server/test/tools.ts'

type Missing = Pick<Tool, 'name' | 'packages'>

/** The output of vitest's JSON reporter. */
export type Report = {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  /** Skipped tests. */
  numPendingTests: number
  testResults: { assertionResults: { meta?: { missing?: Missing[] } }[] }[]
}

/** The tools that this machine lacks, with the number of tests skipped, or run in part, for each. */
export function missingTools({ testResults }: Report): (Missing & { count: number })[] {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const first = tests.flatMap(({ meta }) => meta?.missing?.[0] ?? [])
  return [...Map.groupBy(first, ({ name }) => name).values()]
    .map(same => ({ ...(same[0] as Missing), count: same.length }))
    .sort((one, other) => other.count - one.count)
}
