import { LRUCache } from 'lru-cache'
import { batched } from '../../platform/database/batch.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { atMost } from '../../platform/process/bounded-cache.ts'
import { type CurrentSession, hashOf, onSessionsEnded } from './sessions.ts'
import { findSessions } from './sessions-store.ts'

/** The longest it takes until a revoked token is refused, even by a process that the log does not reach. */
const trustedMs = 1000
/** An entry takes 490 bytes: 49 MB if a hundred thousand people have been here recently. */
const tokensMax = 100_000
const askedAtOnce = 500

/** All times are from performance.now(), which changes to the clock do not affect. */
type Known = { viewer: Viewer; askedAt: number; expiresAt: number }

export type SessionCache = {
  /** The session of a token. Undefined if it is unknown, expired, revoked or of a suspended account. */
  find(token: string): Viewer | undefined | Promise<Viewer | undefined>
  /**
   * The same according to the database right now: something that stays open must not begin with a token that has just
   * ended.
   */
  findNow(token: string): Promise<CurrentSession | undefined>
  /** Sessions of these people have ended. */
  forget(userIds: readonly number[]): void
  /** Sessions may have ended without notice. */
  forgetAll(): void
  /** Everything that had ended by this time has been reported. */
  heardUpTo(moment: number): void
  size(): number
  close(): void
}

/**
 * Tokens that were looked up in the database, until the log says that their session ended. Each is trusted for a second
 * after it was looked up or the log was last read: while the log cannot be read, a token is looked up every second.
 */
export const openSessionCache = (
  db: Database,
  { most = tokensMax, whenUsed }: { most?: number; whenUsed: (deviceRow: number) => void },
): SessionCache => {
  const tokensOf = new Map<number, readonly string[]>()
  const known = new LRUCache<string, Known>({
    ...atMost(most),
    dispose({ viewer }, token) {
      const others = (tokensOf.get(viewer.id) ?? []).filter(each => each !== token)
      if (others.length > 0) tokensOf.set(viewer.id, others)
      else tokensOf.delete(viewer.id)
    },
  })
  let heardAt = Number.NEGATIVE_INFINITY
  let timesForgotten = 0

  const isTrusted = ({ askedAt, expiresAt }: Known) => {
    const now = performance.now()
    return now - Math.max(askedAt, heardAt) < trustedMs && now < expiresAt
  }

  const look = batched(
    async (tokens: readonly string[]) => {
      const askedAt = performance.now()
      const before = timesForgotten
      const found = await findSessions(db, tokens.map(hashOf))
      // A session that ended meanwhile may be one of these.
      if (timesForgotten === before)
        for (const [at, session] of found.entries()) if (session) keep(tokens[at] as string, session, askedAt)
      return found
    },
    { most: askedAtOnce },
  )

  const keep = (given: string, { viewer, expiresInMs }: { viewer: Viewer; expiresInMs: number }, askedAt: number) => {
    // The given string is part of the request's header, which would be retained with it.
    const token = Buffer.from(given, 'latin1').toString('latin1')
    known.set(token, { viewer, askedAt, expiresAt: askedAt + expiresInMs })
    tokensOf.set(viewer.id, [...(tokensOf.get(viewer.id) ?? []), token])
  }

  const lookForViewer = async (token: string) => {
    const viewer = (await look(token))?.viewer
    if (viewer) whenUsed(viewer.deviceRow)
    return viewer
  }

  const forget = (userIds: readonly number[]) => {
    if (userIds.length === 0) return
    timesForgotten += 1
    for (const userId of userIds) for (const token of tokensOf.get(userId) ?? []) known.delete(token)
  }

  const stopListening = onSessionsEnded(userId => forget([userId]))

  return {
    find(token) {
      const session = known.get(token)
      if (!session || !isTrusted(session)) return lookForViewer(token)
      whenUsed(session.viewer.deviceRow)
      return session.viewer
    },
    async findNow(token) {
      const found = await look(token)
      return found && { viewer: found.viewer, tokenHash: hashOf(token), expiresAt: Date.now() + found.expiresInMs }
    },
    forget,
    forgetAll() {
      timesForgotten += 1
      known.clear()
    },
    heardUpTo(moment) {
      heardAt = moment
    },
    size: () => known.size,
    close: stopListening,
  }
}
