import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { limited } from '../../jobs/jobs.ts'
import type { FileSource } from '../file-references.ts'
import type { FullSizes } from '../full-size.ts'
import { giveUpFiles } from '../quotas.ts'
import { scrub } from './scrub.ts'
import type { Storage } from './storage.ts'
import { sweep } from './sweep.ts'

type StorageTaskOptions = {
  db: Database
  storage: Storage
  sources: readonly FileSource[]
  fullSizes: Pick<FullSizes, 'readOld'>
  /** Nights between two runs; 0: never, because a bucket charges for listing and reading. */
  everyDays: { sweep: number; reread: number }
  /** Aborted when the service stops: the nightly work ends at once and the next process does it. */
  signal: AbortSignal
  log: Pick<Logger, 'info' | 'error'>
}

/** The storage's nightly work. */
export const storageTasks = ({ db, storage, sources, fullSizes, everyDays, signal, log }: StorageTaskOptions) => ({
  sweepStorage: limited({ minutes }, async (_, late) => {
    if (!isDue(everyDays.sweep)) return
    await giveUpFiles(db)
    const report = await sweep(db, storage, sources, { signal: AbortSignal.any([signal, late]) })
    log.info(report, 'the storage was swept')
  }),

  scrubStorage: limited({ minutes }, async (_, late) => {
    const ends = AbortSignal.any([signal, late])
    await fullSizes.readOld(ends)
    if (!isDue(everyDays.reread)) return
    const report = await scrub(db, storage, sources, { signal: ends })
    if (report.damaged > 0) log.error(report, 'files of the storage are damaged or missing')
    else log.info(report, 'a part of the storage was read, and is right')
  }),
})

const minutes = 20 * 60
const dayMs = 86_400_000
const isDue = (everyDays: number) => everyDays > 0 && Math.floor(Date.now() / dayMs) % everyDays === 0
