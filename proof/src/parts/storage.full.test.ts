import { proveInTests } from '../prove-in-tests.ts'
import { storageBroken } from './storage.ts'

proveInTests(storageBroken)
