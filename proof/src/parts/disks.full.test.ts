import { proveInTests } from '../prove-in-tests.ts'
import { disks } from './disks.ts'

proveInTests(...disks)
