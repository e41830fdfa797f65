import { afterAll, onTestFinished, TestRunner } from 'vitest'

/**
 * Cleans up after the file or, when a test opened it, after that test: there `afterAll` would never be called, and what
 * was left open would work beside every later file of the worker.
 */
export const whenDone = (cleanUp: () => unknown): void => {
  const inTest = TestRunner.getCurrentTest() !== undefined
  const register = inTest ? onTestFinished : afterAll
  register(async () => {
    await cleanUp()
  })
}
