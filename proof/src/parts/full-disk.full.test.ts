import { proveInTests } from '../prove-in-tests.ts'
import { fullDisk } from './full-disk.ts'

proveInTests(fullDisk)
