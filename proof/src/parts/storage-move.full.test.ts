import { proveInTests } from '../prove-in-tests.ts'
import { storageMove } from './storage-move.ts'

proveInTests(storageMove)
