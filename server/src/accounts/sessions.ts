import { createHash, randomBytes } from 'node:crypto'
import { userStatus } from '@afterglow/contract/accounts'
import { LRUCache } from 'lru-cache'
import { type Database, type Db, transact } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { cancelErasure } from './erasing-store.ts'
import * as store from './store.ts'

export type NewDevice = { deviceId: string; platform: string; timezone: string }
export type Session = { token: string; expiresAt: Date }

const sessionsMax = 20
const newToken = () => randomBytes(32).toString('base64url')
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** A revoked token is refused at once by this process and after this long by any other. */
const trustedMs = 1000
const known = new LRUCache<string, Viewer>({ max: 20_000, ttl: trustedMs })

/** Whose token this is, now. Undefined for a token that is unknown, expired, revoked or of a suspended account. */
export const findViewer =
  (db: Database) =>
  (token: string): Viewer | undefined | Promise<Viewer | undefined> =>
    known.get(token) ?? look(db, token)

const look = async (db: Database, token: string) => {
  const found = await store.findSession(db, hashOf(token))
  if (!found) return undefined
  if (found.unused_lately) await store.touchDevice(db, found.device_row)
  const viewer = { id: found.user_id, deviceRow: found.device_row }
  known.set(token, viewer)
  return viewer
}

/** A session as a socket holds it: its token as hash, and when it ends in milliseconds of this process's clock. */
export type LivingSession = { viewer: Viewer; tokenHash: Buffer; expiresAt: number }

/** The same by the database's word of this moment: what is held open must not begin with a token that has just ended. */
export const findLivingSession =
  (db: Database) =>
  async (token: string): Promise<LivingSession | undefined> => {
    const tokenHash = hashOf(token)
    const found = await store.findSession(db, tokenHash)
    if (!found) return undefined
    const viewer = { id: found.user_id, deviceRow: found.device_row }
    return { viewer, tokenHash, expiresAt: Date.now() + found.expires_in_ms }
  }

/** When each of these sessions ends, as in LivingSession; undefined for one that has. */
export const expiriesOf = async (db: Db, held: readonly { deviceRow: number; tokenHash: Buffer }[]) => {
  const left = await store.sessionsLeft(db, held)
  return left.map(ms => (ms === undefined ? undefined : Date.now() + ms))
}

const listeners = new Set<() => void>()

/** Call after every commit that ends a session. */
export const forgetSessions = () => {
  known.clear()
  for (const listener of listeners) listener()
}

/** Calls back whenever this process ended sessions. Returns how to stop. */
export const whenSessionsEnd = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Signs a device in: an earlier session of the same device ends, and the oldest beyond 20. Who was leaving stays. */
export const openSession = async (db: Db, userId: number, device: NewDevice): Promise<Session> => {
  const token = newToken()
  const expiresAt = await transact(db, async tx => {
    const { status } = await store.lockUser(tx, userId)
    if (status === userStatus.erasing) await cancelErasure(tx, userId)
    const expires = await store.saveDevice(tx, userId, device, hashOf(token))
    await store.endOldestSessions(tx, userId, sessionsMax)
    return expires
  })
  forgetSessions()
  return { token, expiresAt }
}

/** A new token for the same device; the old one serves another 60 seconds, for requests under way. */
export const refreshSession = async (db: Db, viewer: Viewer): Promise<Session> => {
  const token = newToken()
  const expiresAt = await store.replaceToken(db, viewer.deviceRow, hashOf(token))
  return { token, expiresAt }
}

export const logOut = async (db: Db, viewer: Viewer, { allDevices }: { allDevices: boolean }) => {
  if (allDevices) await store.endSessionsBut(db, viewer.id, null)
  else await store.endSession(db, viewer.id, viewer.deviceRow)
  forgetSessions()
}

/** The caller forgets the sessions after its commit. */
export const endAllSessions = async (db: Db, userId: number) => {
  await store.endSessionsBut(db, userId, null)
}

export const endOtherSessions = async (db: Db, viewer: Viewer) => {
  await store.endSessionsBut(db, viewer.id, viewer.deviceRow)
}

export const removeDevice = async (db: Db, viewer: Viewer, deviceId: string) => {
  const removed = await db
    .deleteFrom('devices')
    .where('user_id', '=', viewer.id)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  if (removed.numDeletedRows === 0n) refuse('noSuchDevice')
  forgetSessions()
}
