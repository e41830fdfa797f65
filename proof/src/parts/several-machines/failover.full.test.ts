import { proveInTests } from '../../prove-in-tests.ts'
import { failover } from './failover.ts'

proveInTests(failover)
