import type { Ground, Run } from '../ground.ts'
import { letWrite, type People } from '../people.ts'
import { until } from '../processes.ts'
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
  ground: Ground,
  faults: (people: People) => Promise<void>,
  load: { photos?: boolean } = {},
): Promise<void> => {
  const ended = [await endSession(ground)]
  const people = letWrite({ ...ground, ...load })
  const stopWalking = letWalk(ground)
  try {
    await faults(people)
    await until('enough acts to judge by', () => people.count() >= actsAtLeast || !people.isGoing())
  } finally {
    await people.stop()
    await stopWalking()
  }
  await checkEnded(ground, ended)
  await checkEverything(ground)
}

/** The same with as many faults as are asked for, one after the other. */
export const faultsUnderLoad = (
  ground: Ground,
  { count, signal }: Pick<Run, 'count' | 'signal'>,
  fault: (people: People, nth: number) => Promise<void>,
): Promise<void> =>
  underLoad(ground, async people => {
    for (let nth = 0; nth < count && !signal.aborted; nth++) await fault(people, nth)
  })

/** Of an instance at rest. What it does to people comes last. */
export const checkEverything = async (ground: Ground): Promise<void> => {
  await checkSaid(ground)
  await checkOrder(ground)
  await checkReduced(ground)
  await checkNotified(ground)
  await checkFiles(ground)
  await checkCounts(ground)
  await checkSecrets(ground)
  await checkOutside(ground)
}
