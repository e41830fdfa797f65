import type { Part } from './part.ts'
import { badNetwork } from './parts/bad-network.ts'
import { clocks } from './parts/clocks.ts'
import { crashSteps } from './parts/crash-steps.ts'
import { failingDisk } from './parts/failing-disk.ts'
import { flippedBits } from './parts/flipped-bits.ts'
import { fullDisk } from './parts/full-disk.ts'
import { hostileFiles } from './parts/hostile-files.ts'
import { kills } from './parts/kills.ts'
import { powerCut } from './parts/power-cut.ts'
import { pushBroken } from './parts/push.ts'
import { replies } from './parts/replies.ts'
import { requests } from './parts/requests.ts'
import { failover } from './parts/several-machines/failover.ts'
import { partitions } from './parts/several-machines/partitions.ts'
import { rolling } from './parts/several-machines/rolling.ts'
import { storageBroken } from './parts/storage.ts'
import { storageMove } from './parts/storage-move.ts'

/** In the order of the table. */
export const parts: readonly Part[] = [
  ...kills,
  ...replies,
  crashSteps,
  powerCut,
  badNetwork,
  ...partitions,
  storageBroken,
  storageMove,
  pushBroken,
  clocks,
  failover,
  fullDisk,
  failingDisk,
  flippedBits,
  rolling,
  hostileFiles,
  requests,
]
