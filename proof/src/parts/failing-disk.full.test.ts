import { proveInTests } from '../prove-in-tests.ts'
import { failingDisk } from './failing-disk.ts'

proveInTests(failingDisk)
