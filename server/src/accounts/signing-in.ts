import { ownAccount, userStatus } from '@afterglow/contract/accounts'
import { sayOf } from '@afterglow/contract/sentences'
import { sentence } from '@afterglow/contract/words'
import { type Database, type Db, transact } from '../platform/database.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { Invalid, invalid, refuse, Unauthenticated } from '../platform/http/refusals.ts'
import { hashPassword, passwordIs } from './passwords.ts'
import { type NewDevice, openSession, type Session } from './sessions.ts'
import * as store from './store.ts'

export type Registration = {
  firstName: string
  middleName: string | null
  lastName: string
  username: string
  email: string
  password: string
  identifier: string | undefined
  device: NewDevice
}

/** Third-party providers are not configured yet: their types are unknown here. */
export const demandConfigured = (loginOptionType: number) => {
  if (loginOptionType !== ownAccount) invalid('user_login_option_type', sentence.selected)
}

/** Opens an account and its first session. Refuses names that are taken, whatever their case. */
export const register = async (db: Db, asked: Registration): Promise<{ userId: number; session: Session }> => {
  const passwordHash = await hashPassword(asked.password)
  return transact(db, async tx => {
    const userId = await store.insertUser(tx, {
      first_name: asked.firstName,
      middle_name: asked.middleName,
      last_name: asked.lastName,
      username: asked.username,
      email: asked.email,
      timezone: asked.device.timezone,
      password_hash: passwordHash,
    })
    if (userId === undefined) return refuseTaken(tx, { ...asked, exceptId: 0 })
    await store.insertLoginOption(tx, userId, ownAccount, asked.identifier ?? asked.email)
    return { userId, session: await openSession(tx, userId, asked.device) }
  })
}

/** Throws the validation error that names what is taken. */
export const refuseTaken = async (
  db: Db,
  asked: { username: string; email: string; exceptId: number },
): Promise<never> => {
  const taken = await store.takenBy(db, asked)
  const say = (field: string) => ({ [field]: [sayOf(sentence.taken, field)] })
  throw new Invalid({ ...(taken.username && say('user_username')), ...(taken.email && say('user_email')) })
}

export type Attempt = { loginId: string; password: string; device: NewDevice }

const failuresPerMinute = 10

/**
 * Signs in by e-mail, username or identifier. Unknown, wrong and suspended answer alike and take as long:
 * always one password verification. Only failures spend the login id's budget.
 */
export const authenticate = async (db: Database, limits: RateLimits, { loginId, password, device }: Attempt) => {
  const name = loginId.toLowerCase()
  await limits.spend('signInFailures', name, failuresPerMinute)
  const user = await store.findByLogin(db, loginId)
  const correct = await passwordIs(password, user?.password_hash)
  if (!user || !correct || user.status === userStatus.suspended) return refuse('wrongDetails')
  await limits.giveBack('signInFailures', name, failuresPerMinute)
  await db.updateTable('users').set({ timezone: device.timezone }).where('id', '=', user.id).execute()
  return { userId: user.id, session: await openSession(db, user.id, device) }
}

/** Answers a repeated registration: a session for the account that the first one opened, if the password is right. */
export const signInAgain = async (db: Database, userId: number, password: string, device: NewDevice) => {
  const { password_hash: known } = await store.readAccount(db, userId)
  if (!(await passwordIs(password, known))) throw new Unauthenticated()
  return { userId, session: await openSession(db, userId, device) }
}
