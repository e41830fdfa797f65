import { beforeEach } from 'vitest'
import { full } from './full.ts'
import { useOwnFolder } from './leaks.ts'

/**
 * `npm test` leaves out what has the tag `slow`, unless somebody names its file. Not by vitest's own filter: that
 * would call no `afterAll` of a suite of which no test is left.
 */
if (!full && process.env.ASKED !== '1')
  beforeEach(({ task, skip }) => {
    if (task.tags?.includes('slow')) skip('it takes long, and runs in `npm run test:full`')
  })

await useOwnFolder()
