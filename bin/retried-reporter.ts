import type { Reporter, TestCase } from 'vitest/node'

/** Names the tests that passed only when tried again, and why they had failed before. */
export default class RetriedReporter implements Reporter {
  readonly #retried: TestCase[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#retried.push(test)
  }

  onTestRunEnd(): void {
    if (this.#retried.length === 0) return
    console.error('\n== Passed only when tried again: to be mended, and red every night')
    for (const test of this.#retried) {
      console.error(`${test.module.relativeModuleId} > ${test.fullName}`)
      for (const { message, stack } of test.result().errors ?? []) console.error(stack ?? message)
    }
  }
}
