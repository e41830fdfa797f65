import { proveInTests } from '../prove-in-tests.ts'
import { crashSteps } from './crash-steps.ts'

proveInTests(crashSteps)
