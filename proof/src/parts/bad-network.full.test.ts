import { proveInTests } from '../prove-in-tests.ts'
import { badNetwork } from './bad-network.ts'

proveInTests(badNetwork)
