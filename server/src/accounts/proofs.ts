import { userStatus } from '@afterglow/contract/accounts/user'
import type { Db } from '../platform/database/database.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { refuse, Unauthenticated } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { passwordIs } from './passwords/passwords.ts'
import { letInLately } from './sessions/sessions-store.ts'
import * as store from './store.ts'

/* A session lasts a month, on a phone that lies on tables: sensitive actions ask who is holding it. */

const proofMinutes = 10

/**
 * True if this session recently signed in or confirmed the password. A guest account has nothing but its phone to
 * prove.
 */
export const provenLately = async (db: Db, viewer: Viewer): Promise<boolean> => {
  const { proven_lately, status } = await store.readProof(db, viewer.id, viewer.deviceRow, proofMinutes)
  return proven_lately || status === userStatus.guest
}

/**
 * The organizer who let a guest in again could hold the new session. Until the guest has had a day to object, such a
 * session may take nothing from the earlier ones. Refuses letInLately.
 */
export const requireOwnSession = async (db: Db, { isGuest, deviceRow }: Viewer): Promise<void> => {
  if (isGuest && (await letInLately(db, deviceRow))) refuse('letInLately')
}

/** Refuses proveFirst, letInLately. */
export const requireProof = async (db: Db, viewer: Viewer): Promise<void> => {
  await requireOwnSession(db, viewer)
  if (!(await provenLately(db, viewer))) refuse('proveFirst')
}

/** The same for what cannot be given back and is somebody else's. */
export const requireProofForOthers = async (
  db: Db,
  viewer: Viewer,
  { user_id }: { user_id: number },
): Promise<void> => {
  if (user_id !== viewer.id) await requireProof(db, viewer)
}

const triesPerMinute = 10

/**
 * Refuses wrongPassword. All attempts of an account share one budget, whatever they are for; a correct one costs
 * nothing.
 */
export const requirePassword = async (db: Db, limits: RateLimits, viewer: Viewer, password: string): Promise<void> => {
  await limits.spend('passwordProofs', viewer.id, triesPerMinute)
  const { password_hash } = await store.readProof(db, viewer.id, viewer.deviceRow, proofMinutes)
  if (!(await passwordIs(password, password_hash))) refuse('wrongPassword')
  await limits.giveBack('passwordProofs', viewer.id, triesPerMinute)
}

/** Confirms the password for this session; returns until when that counts. */
export const prove = async (db: Db, limits: RateLimits, viewer: Viewer, password: string): Promise<Date> => {
  await requirePassword(db, limits, viewer, password)
  const until = await store.saveProof(db, viewer.deviceRow, proofMinutes)
  if (!until) throw new Unauthenticated()
  return until
}

/** The same for a deletion, which asks for the password itself if there is one. */
export const requireProofToLeave = async (
  db: Db,
  limits: RateLimits,
  viewer: Viewer,
  password: string | undefined,
): Promise<void> => {
  const { password_hash } = await store.readProof(db, viewer.id, viewer.deviceRow, proofMinutes)
  if (password_hash === null) return requireProof(db, viewer)
  return requirePassword(db, limits, viewer, password ?? '')
}
