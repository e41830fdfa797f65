import { proveInTests } from '../prove-in-tests.ts'
import { kills } from './kills.ts'

/** Kills of the server, every time; `kills.full.test.ts` has the others. */
proveInTests(...kills.slice(0, 1))
