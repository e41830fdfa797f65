import { createHash, randomBytes } from 'node:crypto'
import { userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { afterCommit, alone, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse, Unauthenticated } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { cancelErasure } from '../account-deletion-store.ts'
import { requireOwnSession, requireProof } from '../proofs.ts'
import * as store from './sessions-store.ts'

export type NewDevice = {
  deviceId: string
  platform: string
  timezone: string
  /** The requested language, if we support it. */
  language?: Locale | undefined
}
export type Session = { token: string; expiresAt: Date }

/** The organizer who opened a session for somebody else, and the event. */
export type LetInBy = { by: number; eventId: number }

const sessionsMax = 20
const newToken = () => randomBytes(32).toString('base64url')
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * A session as a socket holds it: the hash of its token, and when it expires in milliseconds of this process's clock.
 */
export type CurrentSession = { viewer: Viewer; tokenHash: Buffer; expiresAt: number }

/** The current sessions of these tokens; undefined for one whose session has ended. */
export const currentSessions = async (db: Db, tokenHashes: readonly Buffer[]) => {
  const found = await store.findSessions(db, tokenHashes)
  return found.map(
    session => session && { linkEpoch: session.viewer.linkEpoch, expiresAt: Date.now() + session.expiresInMs },
  )
}

const listeners = new Set<(userId: number) => void>()

/** Calls back when this process has ended somebody's sessions. Returns an unsubscribe function. */
export const onSessionsEnded = (listener: (userId: number) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Other processes read it in the log; in this one, the next request must already see it. */
export const announceSessionsEnded = (db: Db, userId: number) =>
  afterCommit(db, () => {
    for (const listener of listeners) listener(userId)
  })

/**
 * Signs a device in: an earlier session of the same device ends, and beyond 20 the one unused the longest. An account
 * scheduled for deletion stays. What follows the first statement is repeated by the next sign-in if it was lost.
 */
export const openSession = async (
  db: Db,
  userId: number,
  device: NewDevice,
  bounds: { until: Date | null; sessionsMax: number } = { until: null, sessionsMax },
): Promise<Session> => {
  const token = newToken()
  const opening = { userId, device, tokenHash: hashOf(token), ...bounds }
  const opened = await alone(db, () => store.openSession(db, opening))
  if (opened.ended) announceSessionsEnded(db, userId)
  if (opened.status === userStatus.erasing) await cancelErasure(db, userId)
  if (device.language) await store.noteLanguageOf(db, userId, device.deviceId, device.language)
  return { token, expiresAt: opened.expires_at }
}

/** Signs a device in that somebody let in, if anybody did: the session lasts as long as they could. */
export const openSessionFor = async (
  tx: Transaction,
  userId: number,
  device: NewDevice,
  letIn: LetInBy | undefined,
) => {
  const session = await openSession(tx, userId, device)
  if (letIn) await store.noteLetIn(tx, userId, device.deviceId, letIn)
  return session
}

/** Sets a device's language, and its owner's if none is known yet. */
export const noteLanguage = store.noteLanguage

/** A new token for the same device; the old one remains valid for 60 seconds, for requests in progress. */
export const refreshSession = async (db: Db, viewer: Viewer): Promise<Session> => {
  const token = newToken()
  const expiresAt = await store.replaceToken(db, viewer.deviceRow, hashOf(token))
  if (!expiresAt) throw new Unauthenticated()
  return { token, expiresAt }
}

/** The viewers of a link share one account: none of them ends the sessions of the others. */
export const logOut = async (
  db: Db,
  viewer: Viewer,
  { allDevices, keepsCalendar }: { allDevices: boolean; keepsCalendar: boolean },
) => {
  if (allDevices && !viewer.isLinkViewer) {
    await requireOwnSession(db, viewer)
    return endAllSessions(db, viewer.id, { keepsCalendar })
  }
  await store.endSession(db, viewer.id, viewer.deviceRow)
  announceSessionsEnded(db, viewer.id)
}

export const endAllSessions = async (db: Db, userId: number, kept?: { keepsCalendar: boolean }) => {
  await store.endSessionsBut(db, userId, null, kept)
  announceSessionsEnded(db, userId)
}

export const endOtherSessions = async (db: Db, viewer: Viewer, kept: { keepsCalendar: boolean }) => {
  await store.endSessionsBut(db, viewer.id, viewer.deviceRow, kept)
  announceSessionsEnded(db, viewer.id)
}

/** Somebody may see less than before: the links that they hold end, their sessions go on. */
export const endLinksOf = async (tx: Transaction, userId: number) => {
  await store.endLinksOf(tx, userId)
  announceSessionsEnded(tx, userId)
}

/**
 * The owner was not the one whom somebody let in: those sessions end, and the code that the owner keeps, which they may
 * have seen. Refuses letInLately.
 */
export const disownLetIns = (db: Db, viewer: Viewer) =>
  transact(db, async tx => {
    await requireOwnSession(tx, viewer)
    const ended = await store.endLetIns(tx, viewer.id, viewer.deviceRow)
    await store.endCodesOf(tx, viewer.id)
    if (ended) await endLinksOf(tx, viewer.id)
  })

/**
 * Signs one device out. Any but the viewer's own requires recent re-authentication, or a thief could lock the owner
 * out.
 */
export const removeDevice = (db: Db, viewer: Viewer, deviceId: string) =>
  transact(db, async tx => {
    const row = (await store.findDevice(tx, viewer.id, deviceId)) ?? refuse('noSuchDevice')
    if (row === viewer.deviceRow) await store.endSession(tx, viewer.id, row)
    else {
      await requireProof(tx, viewer)
      await store.endSessionAndLinks(tx, viewer.id, row)
    }
    announceSessionsEnded(tx, viewer.id)
  })
