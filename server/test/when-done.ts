import { afterAll, beforeAll, onTestFinished, TestRunner } from 'vitest'

/** Whether the file is still being read; later, in a `beforeAll`, vitest hears of no `afterAll` any more. */
let isRead = false
const late: (() => unknown)[] = []

/**
 * Cleans up after the file or, when a test opened it, after that test: there `afterAll` would never be called, and what
 * was left open would work beside every later file of the worker.
 */
export const whenDone = (cleanUp: () => unknown): void => {
  const inTest = TestRunner.getCurrentTest() !== undefined
  if (!inTest && isRead) return void late.push(cleanUp)
  const register = inTest ? onTestFinished : afterAll
  register(async () => {
    await cleanUp()
  })
}

/** At the beginning of each test file. */
export const closeLate = (): void => {
  isRead = false
  beforeAll(() => {
    isRead = true
  })
  afterAll(async () => {
    for (const cleanUp of late.splice(0).reverse()) await cleanUp()
  })
}
