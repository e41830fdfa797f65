import { proveInTests } from '../prove-in-tests.ts'
import { pushBroken } from './push.ts'

proveInTests(pushBroken)
