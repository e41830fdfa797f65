import { createHash, randomBytes } from 'node:crypto'
import { userStatus } from '@afterglow/contract/accounts'
import { LRUCache } from 'lru-cache'
import { afterCommit, type Database, type Db, type Transaction, transact } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { cancelErasure } from './erasing-store.ts'
import { demandProof } from './proofs.ts'
import * as store from './store.ts'

export type NewDevice = { deviceId: string; platform: string; timezone: string }
export type Session = { token: string; expiresAt: Date }

const sessionsMax = 20
const newToken = () => randomBytes(32).toString('base64url')
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** A revoked token is refused at once by this process and after this long by any other. */
const trustedMs = 1000
const known = new LRUCache<string, { viewer: Viewer; asOf: number }>({ max: 20_000, ttl: trustedMs })

// How many times sessions ended here; and at which count for whom, kept longer than any look at a token may last.
let ends = 0
let endedForAll = 0
const endedFor = new LRUCache<number, number>({ max: 20_000, ttl: 60_000 })

/** Whose token this is, now. Undefined for a token that is unknown, expired, revoked or of a suspended account. */
export const findViewer = (db: Database) => {
  return (token: string): Viewer | undefined | Promise<Viewer | undefined> => {
    const kept = known.get(token)
    return kept && stands(kept) ? kept.viewer : look(db, token)
  }
}

const stands = ({ viewer, asOf }: { viewer: Viewer; asOf: number }) =>
  asOf >= endedForAll && asOf >= (endedFor.get(viewer.id) ?? 0)

const look = async (db: Database, token: string) => {
  const asOf = ends
  const found = await store.findSession(db, hashOf(token))
  if (!found) return undefined
  if (found.unused_lately) await store.touchDevice(db, found.device_row)
  const viewer = { id: found.user_id, deviceRow: found.device_row }
  known.set(token, { viewer, asOf })
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

/** Call after every commit that ends sessions: of one person, or of whomever when nobody is named. */
export const forgetSessions = (userId?: number) => {
  ends += 1
  if (userId === undefined) endedForAll = ends
  else endedFor.set(userId, ends)
  for (const listener of listeners) listener()
}

/** Calls back whenever this process ended sessions. Returns how to stop. */
export const whenSessionsEnd = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Signs a device in: an earlier session of the same device ends, and the longest unused beyond 20. Who was leaving stays.
 */
export const openSession = async (db: Db, userId: number, device: NewDevice): Promise<Session> => {
  const token = newToken()
  const opened = await store.openSession(db, { userId, device, tokenHash: hashOf(token), sessionsMax })
  if (opened.status === userStatus.erasing) await cancelErasure(db, userId)
  if (opened.ended) afterwards(db, () => forgetSessions(userId))
  return { token, expiresAt: opened.expires_at }
}

const afterwards = (db: Db, tell: () => void) => (db.isTransaction ? afterCommit(db as Transaction, tell) : tell())

/** A new token for the same device; the old one serves another 60 seconds, for requests under way. */
export const refreshSession = async (db: Db, viewer: Viewer): Promise<Session> => {
  const token = newToken()
  const expiresAt = await store.replaceToken(db, viewer.deviceRow, hashOf(token))
  return { token, expiresAt }
}

export const logOut = async (db: Db, viewer: Viewer, { allDevices }: { allDevices: boolean }) => {
  if (allDevices) await store.endSessionsBut(db, viewer.id, null)
  else await store.endSession(db, viewer.id, viewer.deviceRow)
  forgetSessions(viewer.id)
}

/** The caller forgets the sessions after its commit. */
export const endAllSessions = async (db: Db, userId: number) => {
  await store.endSessionsBut(db, userId, null)
}

export const endOtherSessions = async (db: Db, viewer: Viewer) => {
  await store.endSessionsBut(db, viewer.id, viewer.deviceRow)
}

/** Signs one device out; another one than the viewer's only with a recent proof, or a thief would shut its owner out. */
export const removeDevice = async (db: Db, viewer: Viewer, deviceId: string) => {
  await transact(db, async tx => {
    const row = (await store.findDevice(tx, viewer.id, deviceId)) ?? refuse('noSuchDevice')
    if (row === viewer.deviceRow) return store.endSession(tx, viewer.id, row)
    await demandProof(tx, viewer)
    return store.endSessionAndLinks(tx, viewer.id, row)
  })
  forgetSessions(viewer.id)
}
