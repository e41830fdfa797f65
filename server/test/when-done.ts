import { afterAll, onTestFinished, TestRunner } from 'vitest'

type CleanUp = () => unknown

/** Clean-ups of everything that this file opened outside of its tests, and has not closed yet. */
const open = new Set<CleanUp>()
let isRead = false

/**
 * Cleans up after the suite or, when a test opened it, after that test. `runner.ts` runs the clean-ups that vitest does
 * not: it has no `afterAll` for suites that are skipped, nor for registrations in a `beforeAll`, nor after one that
 * failed.
 */
export const whenDone = (cleanUp: CleanUp): void => {
  if (TestRunner.getCurrentTest() !== undefined) {
    onTestFinished(async () => {
      await cleanUp()
    })
    return
  }
  open.add(cleanUp)
  if (!isRead) afterAll(() => close(cleanUp))
}

/** The file is still being read; after that, vitest accepts no `afterAll`. */
export const nowReading = (isReading: boolean): void => {
  isRead = !isReading
}

/** Runs at the end of the file, however it ended; returns the failures. */
export const closeAll = async (): Promise<unknown[]> => {
  const faults: unknown[] = []
  for (const cleanUp of [...open].reverse()) await inTime(cleanUp).catch(fault => faults.push(fault))
  return faults
}

const close = async (cleanUp: CleanUp) => {
  if (open.delete(cleanUp)) await cleanUp()
}

const patienceMs = 120_000

const inTime = async (cleanUp: CleanUp) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`This did not close in two minutes: ${cleanUp}`)), patienceMs)
  })
  await Promise.race([close(cleanUp), late]).finally(() => clearTimeout(timer))
}
