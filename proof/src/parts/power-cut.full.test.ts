import { proveInTests } from '../prove-in-tests.ts'
import { powerCut } from './power-cut.ts'

proveInTests(powerCut)
