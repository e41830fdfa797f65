import { type Database, type Db, type Transaction, transact } from '../platform/database/database.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { removeForGood } from '../platform/media/records.ts'
import * as store from './account-deletion-store.ts'
import { requireProofToLeave } from './proofs.ts'
import { endAllSessions } from './sessions/sessions.ts'
import { lockUser } from './store.ts'

/* How an account is closed: its owner asks, has fourteen days to come back, and is then erased. */

/** Signs the viewer out everywhere and schedules the erasure in fourteen days; returns when. */
export const leaveAccount = async (
  db: Database,
  limits: RateLimits,
  viewer: Viewer,
  { password, erasesContent }: { password: string | undefined; erasesContent: boolean },
): Promise<Date> => {
  await requireProofToLeave(db, limits, viewer, password)
  return transact(db, async tx => {
    const at = await store.scheduleErasure(tx, viewer.id, { afterDays: daysToReturn, erasesContent })
    await endAllSessions(tx, viewer.id)
    return at
  })
}

export const daysToReturn = 14

/** The operator's way: the erasure is due now, and the owner cannot come back. */
export const makeErasureDue = (db: Db, userId: number, { erasesContent }: { erasesContent: boolean }) =>
  transact(db, async tx => {
    await store.scheduleErasure(tx, userId, { afterDays: 0, erasesContent })
    await endAllSessions(tx, userId)
  })

export type LeavingAccount = { id: number; username: string; email: string; erasesContent: boolean }

/** Accounts whose grace period is over. */
export const accountsToErase = (db: Db): Promise<LeavingAccount[]> => store.dueAccounts(db)

/**
 * Removes the ways to sign in and everything that identifies the person. False if the owner has come back in the
 * meantime; afterwards nobody can. Safe to repeat.
 */
export const erasePerson = (db: Db, userId: number): Promise<boolean> =>
  transact(db, async tx => {
    const person = await store.lockLeavingAccount(tx, userId)
    if (!person) return false
    await endAllSessions(tx, userId)
    await store.anonymizePerson(tx, userId)
    const avatars = [person.avatar_media_id, person.staged_avatar_media_id].filter(id => id !== null)
    await removeForGood(tx, avatars)
    return true
  })

/** Keeps an account unchanged until the transaction ends. */
export const lockAccount = (tx: Transaction, userId: number) => lockUser(tx, userId)

/** Records that nothing is left to do. */
export const markErased = (tx: Transaction, userId: number) => store.markErased(tx, userId)
