import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Database, type Db, transact } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
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

/** Call after every commit that ends a session. */
export const forgetSessions = () => known.clear()

/** Signs a device in: an earlier session of the same device ends, and the oldest beyond 20. */
export const openSession = async (db: Db, userId: number, device: NewDevice): Promise<Session> => {
  const token = newToken()
  const expiresAt = await transact(db, async tx => {
    await store.lockUser(tx, userId)
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
