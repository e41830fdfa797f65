import type { Reporter, TestCase } from 'vitest/node'

/** Prints why a test that passed when it was tried again had failed; nobody else would ever say. */
export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    console.error(`\nFlaky: ${test.module.relativeModuleId} > ${test.fullName}`)
    for (const { message, stack } of test.result().errors ?? []) console.error(stack ?? message)
  }
}
