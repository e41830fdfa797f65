import { randomBytes } from 'node:crypto'
import { type Db, transact } from '../platform/database/database.ts'
import * as store from './moderation-store.ts'
import { hashPassword } from './passwords/passwords.ts'
import { endAllSessions } from './sessions/sessions.ts'
import { changeUser } from './store.ts'

/* The operator's acts on accounts, without a viewer: the caller is the operator. */

/**
 * Suspends an account: its sessions end, its sockets close within a second, nobody finds it. False if it was suspended
 * already.
 */
export const suspend = (db: Db, userId: number): Promise<boolean> =>
  transact(db, async tx => {
    const changed = await store.setSuspended(tx, userId)
    if (changed) await endAllSessions(tx, userId)
    return changed
  })

export { findAccount, listAccounts, type ModeratedRow } from './moderation-store.ts'

/** Lifts the suspension; its sessions remain ended. False if it was not suspended. */
export const unsuspend = (db: Db, userId: number): Promise<boolean> => store.setUnsuspended(db, userId)

/** Signs it out everywhere. */
export const revokeSessions = (db: Db, userId: number): Promise<void> => endAllSessions(db, userId)

/** Gives it a new random password, returned once, and signs it out everywhere. */
export const resetPassword = async (db: Db, userId: number, chosen?: string): Promise<string> => {
  const password = chosen ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  await transact(db, async tx => {
    await changeUser(tx, userId, { password_hash: passwordHash })
    await endAllSessions(tx, userId)
  })
  return password
}

/** The one thing operators may do beyond other users: decide on reports of the whole instance. */
export const setOperator = (db: Db, userId: number, operator: boolean) => store.setOperator(db, userId, operator)

/** Sets the subscription plan that the account shows. */
export const setPlan = (db: Db, userId: number, plan: store.Plan) => store.setPlan(db, userId, plan)
