import { proveInTests } from '../prove-in-tests.ts'
import { hostileFiles } from './hostile-files.ts'

proveInTests(hostileFiles)
