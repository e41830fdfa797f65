import { proveInTests } from '../prove-in-tests.ts'
import { kills } from './kills.ts'

proveInTests(...kills.slice(1))
