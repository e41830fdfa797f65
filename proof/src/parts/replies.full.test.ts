import { proveInTests } from '../prove-in-tests.ts'
import { replies } from './replies.ts'

proveInTests(...replies)
