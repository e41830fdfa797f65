import { proveInTests } from '../../prove-in-tests.ts'
import { partitions } from './partitions.ts'

proveInTests(...partitions)
