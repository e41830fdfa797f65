import { type RunnerTestSuite, TestRunner, vi } from 'vitest'
import { leaks } from './leaks.ts'
import { closeAll, nowReading } from './when-done.ts'

type Suite = RunnerTestSuite
type Faults = { message: string; stack?: string }[]

const { waitFor } = vi
// vitest gives up after a second, which a busy machine may exceed.
vi.waitFor = (check, options) => waitFor(check, typeof options === 'number' ? options : { timeout: 60_000, ...options })

/**
 * Nothing outlives its test file: after each one, however it ended, everything it opened is closed, and anything still
 * open fails it.
 */
export default class Runner extends TestRunner {
  override onCollectStart(file: Parameters<TestRunner['onCollectStart']>[0]): void {
    super.onCollectStart(file)
    nowReading(true)
  }

  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    await super.onBeforeRunSuite(suite)
    if (suite.file !== suite) return
    nowReading(false)
    // vitest reports no end for a file that is skipped whole, or cannot be read.
    if (suite.mode !== 'skip' && suite.mode !== 'todo' && suite.result?.state !== 'fail') return
    const faults = await finish()
    if (faults.length > 0) fail(suite, faults)
  }

  override async onAfterRunSuite(suite: Suite): Promise<void> {
    await super.onAfterRunSuite(suite)
    if (suite.file !== suite) return
    const faults = await finish()
    if (faults.length > 0) fail(suite, faults)
  }
}

const finish = async (): Promise<Faults> => {
  const faults = (await closeAll()).map(fault => {
    const { message = String(fault), stack } = fault as Partial<Error>
    return { message, ...(stack && { stack }) }
  })
  const left = await leaks()
  return left.length > 0 ? [...faults, { message: `Left open by this file:\n${left.join('\n')}` }] : faults
}

const fail = (suite: Suite, faults: Faults) => {
  suite.result = { ...suite.result, state: 'fail', errors: [...(suite.result?.errors ?? []), ...faults] }
}
