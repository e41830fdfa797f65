import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { brokenInvariants } from '../../invariants/invariants.ts'
import { mediaDirectory, openStorage } from '../../platform/media/open-storage.ts'
import { reachDatabase } from '../instance.ts'
import { type Finding, fault, good, wordsOf } from './finding.ts'

/** Whether every file is as its row says, every row has its files, and every stored count is what a recount gives. */
export async function examineInvariants(config: Config): Promise<Finding[]> {
  const temporaries = join(mediaDirectory(config.dataDir), `doctor-${process.pid}`)
  try {
    const { db, close } = await reachDatabase(config)
    try {
      const storage = await openStorage(config, temporaries)
      const wrong = await brokenInvariants(db, storage)
      storage.close()
      if (wrong.length === 0) return [good('invariants', 'Files, rows and counts agree.')]
      const advice = 'Ask again, as a running service is between two states at times; then restore it from a backup.'
      return wrong.map(({ what, about }) => fault('invariants', `${what}: ${about}`, advice))
    } finally {
      await close()
    }
  } catch (error) {
    return [fault('invariants', wordsOf(error), 'Mend the database and the storage first.')]
  } finally {
    await rm(temporaries, { recursive: true, force: true }).catch(() => {})
  }
}
