import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import { noteLastUses } from './sessions-store.ts'

const everyMs = 60_000
const writtenAtOnce = 2_000

export type LastUses = {
  note(deviceRow: number): void
  write(): Promise<void>
  /** Writes what has been collected so far. */
  close(): Promise<void>
}

/** When devices were last used: recorded here with every request, and written once a minute for all of them. */
export const openLastUses = (db: Database, log: Pick<Logger, 'warn'>): LastUses => {
  let noted = new Map<number, number>()

  const write = async () => {
    const due = [...noted]
    noted = new Map()
    while (due.length > 0) {
      const some = due.splice(0, writtenAtOnce)
      const now = performance.now()
      try {
        await noteLastUses(
          db,
          some.map(([deviceRow, at]) => ({ deviceRow, msAgo: now - at })),
        )
      } catch (err) {
        log.warn({ err }, 'when devices were last used could not be written; it is tried again in a minute')
        noted = new Map([...some, ...due, ...noted])
        return
      }
    }
  }

  const timer = setInterval(write, everyMs)
  timer.unref()

  return {
    note: deviceRow => void noted.set(deviceRow, Math.floor(performance.now())),
    write,
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}
