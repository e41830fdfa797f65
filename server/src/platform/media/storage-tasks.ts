import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { scrub } from './scrubbing.ts'
import type { Storage } from './storage.ts'
import { sweep } from './sweeping.ts'

type Opening = {
  db: Database
  storage: Storage
  /** Aborted when the service stops: a night's work ends at once and is done by the next process. */
  signal: AbortSignal
  log: Pick<Logger, 'info' | 'error'>
}

/** What is done for the storage at night. */
export const storageTasks = ({ db, storage, signal, log }: Opening) => ({
  async sweepStorage() {
    const report = await sweep(db, storage, { signal })
    log.info(report, 'the storage was swept')
  },

  async scrubStorage() {
    const report = await scrub(db, storage, { signal })
    if (report.damaged > 0) log.error(report, 'files of the storage are damaged or missing')
    else log.info(report, 'a part of the storage was read, and is right')
  },
})
