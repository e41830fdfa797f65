import { proveInTests } from '../../prove-in-tests.ts'
import { rolling } from './rolling.ts'

proveInTests(rolling)
