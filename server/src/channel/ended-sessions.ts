import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { SessionCache } from '../accounts/sessions/session-cache.ts'
import { placeChanges, readSessionEnds } from '../log/changes-sql.ts'
import type { Database } from '../platform/database/database.ts'

const everyMs = 200

/**
 * Reads the ends of sessions from the log, whichever node caused them, and makes this process forget their tokens.
 * While no token is cached it costs nothing; otherwise two index lookups every 200 ms, and no change is assigned a
 * position for it.
 */
export const openSessionEnds = (db: Database, cache: SessionCache, log: Pick<Logger, 'warn'>) => {
  const closing = new AbortController()
  let read: { place: number; writtenAt: string } | undefined
  let isTold = false

  const look = async () => {
    const began = performance.now()
    const { place, writtenAt, placed, unplaced } = await readSessionEnds(db, read?.place ?? 0)
    // In another copy of the database, or a rolled-back one, recent ends cannot be told apart from earlier ones.
    if (read === undefined || read.writtenAt !== writtenAt || read.place > place) cache.forgetAll()
    else cache.forget([...placed, ...unplaced])
    read = { place, writtenAt }
    cache.heardUpTo(began)
    if (unplaced.length > 0) await placeChanges(db)
  }

  const run = async () => {
    while (!closing.signal.aborted) {
      if (read === undefined || cache.size() > 0)
        await look().then(
          () => {
            isTold = false
          },
          err => {
            if (!isTold) log.warn({ err }, 'the ends of sessions cannot be read: every token is asked for each second')
            isTold = true
          },
        )
      await sleep(everyMs, null, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  const running = run()

  return {
    async close() {
      closing.abort()
      await running
    },
  }
}
