import { beforeEach } from 'vitest'
import { full } from './full.ts'
import { useOwnFolder } from './leaks.ts'

/**
 * `npm test` leaves out tests with the tag `slow`, unless their file is named. vitest's own filter would call no
 * `afterAll` of a suite without remaining tests.
 */
if (!full && process.env.ASKED !== '1')
  beforeEach(({ task, skip }) => {
    if (task.tags?.includes('slow')) skip('it takes long, and runs in `npm run test:full`')
  })

await useOwnFolder()
