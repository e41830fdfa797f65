import { proveInTests } from '../prove-in-tests.ts'
import { flippedBits } from './flipped-bits.ts'

proveInTests(flippedBits)
