import { until } from '../instance/processes.ts'
import { letWrite, type People } from '../people/people.ts'
import type { Run, TestBed } from '../test-bed.ts'
import { checkAcknowledged } from './acknowledged.ts'
import { checkCounts } from './counts.ts'
import { checkFiles } from './files.ts'
import { checkNotified } from './notified.ts'
import { checkOrder } from './order.ts'
import { checkOutside } from './outsiders.ts'
import { letWalk } from './pages.ts'
import { checkReduced } from './reduced.ts'
import { checkSecrets } from './secrets.ts'
import { checkEnded, endSession } from './tokens.ts'

/** Rare acts are only checked once this many acts have been acknowledged. */
const actsAtLeast = 100

/**
 * Lets people write while faults happen, then checks every invariant. Each part checks for itself that its faults are
 * over.
 */
export const underLoad = async (
  testBed: TestBed,
  faults: (people: People) => Promise<void>,
  load: { photos?: boolean } = {},
): Promise<void> => {
  const ended = [await endSession(testBed)]
  const people = letWrite({ ...testBed, ...load })
  const stopWalking = letWalk(testBed)
  try {
    await faults(people)
    await until('enough acts to judge by', () => people.count() >= actsAtLeast || !people.isGoing())
  } finally {
    await people.stop()
    await stopWalking()
  }
  await checkEnded(testBed, ended)
  await checkEverything(testBed)
}

/** As `underLoad`, with the requested number of faults, one after another. */
export const faultsUnderLoad = (
  testBed: TestBed,
  { count, signal }: Pick<Run, 'count' | 'signal'>,
  fault: (people: People, nth: number) => Promise<void>,
): Promise<void> =>
  underLoad(testBed, async people => {
    for (let nth = 0; nth < count && !signal.aborted; nth++) await fault(people, nth)
  })

/** Requires an instance at rest. Checks that change something for people come last. */
export const checkEverything = async (testBed: TestBed): Promise<void> => {
  await checkAcknowledged(testBed)
  await checkOrder(testBed)
  await checkReduced(testBed)
  await checkNotified(testBed)
  await checkFiles(testBed)
  await checkCounts(testBed)
  await checkSecrets(testBed)
  await checkOutside(testBed)
}
