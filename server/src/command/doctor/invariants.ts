import { brokenInvariants } from '../../invariants/invariants.ts'
import type { Config } from '../../settings/config.ts'
import { reachDatabase } from '../instance.ts'
import { type Finding, fault, good, wordsOf } from './finding.ts'
import { withStorage } from './storage.ts'

/** Checks that every file matches its row, every row has its files, and every stored count equals a recount. */
export async function examineInvariants(config: Config): Promise<Finding[]> {
  try {
    const { db, close } = await reachDatabase(config)
    try {
      const wrong = await withStorage(config, storage => brokenInvariants(db, storage))
      if (wrong.length === 0) return [good('invariants', 'Files, rows and counts agree.')]
      const advice = 'Ask again, as a running service is between two states at times; then restore it from a backup.'
      return wrong.map(({ what, about }) => fault('invariants', `${what}: ${about}`, advice))
    } finally {
      await close()
    }
  } catch (error) {
    return [fault('invariants', wordsOf(error), 'Mend the database and the storage first.')]
  }
}
