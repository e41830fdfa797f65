import { until } from '../instance/processes.ts'
import { letWrite, type People } from '../people/people.ts'
import type { Run, TestBed } from '../test-bed.ts'
import { checkCounts } from './counts.ts'
import { checkFiles } from './files.ts'
import { checkNotified } from './notified.ts'
import { checkOrder } from './order.ts'
import { checkOutside } from './outside.ts'
import { letWalk } from './pages.ts'
import { checkReduced } from './reduced.ts'
import { checkSaid } from './said.ts'
import { checkSecrets } from './secrets.ts'
import { checkEnded, endSession } from './tokens.ts'

/** Of what people do seldom, something has been done by then. */
const actsAtLeast = 100

/**
 * People write while faults happen; then everything is held against the invariants. What a fault must not outlive is
 * checked by the part itself.
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

/** The same with as many faults as are asked for, one after the other. */
export const faultsUnderLoad = (
  testBed: TestBed,
  { count, signal }: Pick<Run, 'count' | 'signal'>,
  fault: (people: People, nth: number) => Promise<void>,
): Promise<void> =>
  underLoad(testBed, async people => {
    for (let nth = 0; nth < count && !signal.aborted; nth++) await fault(people, nth)
  })

/** Of an instance at rest. What it does to people comes last. */
export const checkEverything = async (testBed: TestBed): Promise<void> => {
  await checkSaid(testBed)
  await checkOrder(testBed)
  await checkReduced(testBed)
  await checkNotified(testBed)
  await checkFiles(testBed)
  await checkCounts(testBed)
  await checkSecrets(testBed)
  await checkOutside(testBed)
}
