import { proveInTests } from '../prove-in-tests.ts'
import { clocks } from './clocks.ts'

proveInTests(clocks)
