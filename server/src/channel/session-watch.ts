import { currentSessions } from '../accounts/sessions/sessions.ts'
import { batched } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import type { Connected, Sockets } from './sockets.ts'

const everyMs = 1000
const checkedAtOnce = 500

/**
 * Closes sockets whose session has ended. The log announces ends, whichever node caused them; sessions that expire are
 * checked here when their time has come.
 */
export const openSessionWatch = (db: Database, sockets: Sockets) => {
  // Everybody who comes back at the same moment is checked, in a few statements.
  const check = batched(
    async (held: readonly Connected[]) => {
      const sessions = await currentSessions(
        db,
        held.map(({ tokenHash }) => Buffer.from(tokenHash, 'base64')),
      )
      for (const [at, connected] of held.entries()) {
        const session = sessions[at]
        if (session === undefined) connected.socket.disconnect(true)
        else Object.assign(connected, session)
      }
      return sessions
    },
    { most: checkedAtOnce },
  )
  const checkAll = async (held: readonly Connected[]) => void (await Promise.all(held.map(check)))

  const timer = setInterval(() => {
    const now = Date.now()
    const due: Connected[] = []
    for (const connected of sockets.all()) if (connected.expiresAt <= now) due.push(connected)
    // While the database is unavailable nobody can tell; the next second asks again.
    checkAll(due).catch(() => {})
  }, everyMs)
  timer.unref()

  return {
    /** Checks every socket of these users. */
    recheck: (userIds: readonly number[]) => checkAll([...new Set(userIds)].flatMap(userId => [...sockets.of(userId)])),
    close: () => clearInterval(timer),
  }
}
