import { describe, TestRunner, test } from 'vitest'
import type { Tool } from './tools.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Missing tools that caused tests to be skipped; bin/test-report.ts counts them. */
    missing?: { name: string; packages: string }[]
  }
}

/**
 * Suites and tests that run only where these tools are installed. Elsewhere even the body of a suite is not read:
 * vitest would run it to list its tests, and everything it opens would stay open, as vitest calls nothing after a
 * skipped suite.
 */
export const needing = (...tools: Tool[]): { describe: typeof describe; test: typeof test } => {
  const missing = tools.filter(({ path }) => path() === undefined)
  if (missing.length === 0) return { describe, test }
  const meta = { missing: missing.map(({ name, packages }) => ({ name, packages })) }
  const leaveOut = (name: string) => test.skip(name, { meta }, () => {})
  const leaveSuiteOut = (name: string, ...given: unknown[]) =>
    describe.skip(name, () => {
      for (const title of testsIn(String(given.find(part => typeof part === 'function')))) leaveOut(title)
    })
  return { describe: leaving<typeof describe>(leaveSuiteOut), test: leaving<typeof test>(leaveOut) }
}

/** With `each`, once for all cases: some cases are only known where the tool is installed. */
const leaving = <Registers>(leave: (name: string, ...given: unknown[]) => void) =>
  Object.assign(leave, { each: () => leave }) as Registers

/** The tests that a suite would register, by its source. */
const testsIn = (source: string) =>
  [...source.matchAll(/\btest\)?(?:\.(?!skip\b)\w+)*\(\s*(?:(['"`])(.*?)\1)?/g)].map(
    ([, , title], at) => title ?? `test ${at + 1}`,
  )

/** A test that also runs without this tool can check its result with it; counted where it cannot. */
export const has = (tool: Tool): boolean => {
  if (tool.path() !== undefined) return true
  const current = TestRunner.getCurrentTest()
  if (current) current.meta.missing = [...(current.meta.missing ?? []), { name: tool.name, packages: tool.packages }]
  return false
}
