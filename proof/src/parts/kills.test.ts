import { proveInTests } from '../prove-in-tests.ts'
import { kills } from './kills.ts'

/** The server, every time; the others in `kills.full.test.ts`. */
proveInTests(...kills.slice(0, 1))
