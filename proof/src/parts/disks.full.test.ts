import { proveInTests } from '../prove-in-tests.ts'
import { failingDisk } from './failing-disk.ts'
import { flippedBits } from './flipped-bits.ts'
import { fullDisk } from './full-disk.ts'

proveInTests(fullDisk, failingDisk, flippedBits)
