import { proveInTests } from '../prove-in-tests.ts'
import { requests } from './requests.ts'

proveInTests(requests)
