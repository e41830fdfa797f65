import { ownAccount, userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { loginName } from '@afterglow/contract/normalization'
import { messageFor } from '@afterglow/contract/sentences'
import { sentence } from '@afterglow/contract/words'
import { type Database, type Db, transact } from '../../platform/database/database.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { Invalid, refuse, Unauthenticated } from '../../platform/http/refusals.ts'
import type { Turn } from '../../platform/jobs/fair-queue.ts'
import { hashPassword, passwordIs } from '../passwords/passwords.ts'
import type { Identities, Identity, IdTokenProof } from '../providers/identities.ts'
import { requestVerification } from '../recovery/recovery.ts'
import { isReserved } from '../registration/reserved-usernames.ts'
import * as store from '../store.ts'
import { type NewDevice, openSession, type Session } from './sessions.ts'
import { findByLogin, notePlace } from './sign-in-store.ts'

export type Registration = {
  firstName: string
  middleName: string | null
  lastName: string
  username: string
  email: string
  password: string
  identifier: string | undefined
  device: NewDevice
  turn: Turn
}

export type SignedIn = { userId: number; session: Session }

/** Creates an account and its first session. Refuses names that are taken, in any case. */
export const register = async (db: Db, asked: Registration, language: Locale): Promise<SignedIn> => {
  const passwordHash = await hashPassword(asked.password, asked.turn)
  return transact(db, async tx => {
    if (isReserved(asked.username)) await refuseTaken(tx, { ...asked, exceptId: 0 })
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
    await store.insertLoginOption(tx, userId, ownAccount, loginName(asked.identifier ?? asked.email))
    await requestVerification(tx, userId, asked.email, language)
    return { userId, session: await openSession(tx, userId, asked.device) }
  })
}

/** Throws the validation error that names what is taken. */
export const refuseTaken = async (
  db: Db,
  asked: { username: string; email: string; exceptId: number },
): Promise<never> => {
  const { email, ...taken } = await store.takenBy(db, asked)
  const username = taken.username || isReserved(asked.username)
  const say = (field: string) => ({ [field]: [messageFor(sentence.taken, field)] })
  throw new Invalid({ ...(username && say('user_username')), ...(email && say('user_email')) })
}

/** Wrong passwords per name in a minute, in ten minutes and in an hour: guessing gets slower and slower. */
const guessWindows = [
  { most: 10, seconds: 60 },
  { most: 25, seconds: 600 },
  { most: 50, seconds: 3600 },
]

/** Only failures count. */
const failingRarely = async <Result>(limits: RateLimits, whose: string, attempt: () => Promise<Result>) => {
  for (const { most, seconds } of guessWindows) await limits.spend(`wrongPasswords ${seconds}`, whose, most, seconds)
  const result = await attempt()
  for (const { most, seconds } of guessWindows) await limits.giveBack(`wrongPasswords ${seconds}`, whose, most, seconds)
  return result
}

export type Attempt = { loginId: string; password: string; device: NewDevice; network: string; turn: Turn }

/**
 * Signs in by e-mail, username or identifier. Unknown, wrong and suspended get the same answer in the same time: always
 * one database lookup, one budget and one password verification. The budget belongs to the name, so that it does not
 * tell which names are one account's, and apart from it to each device and network that the account knows, so that what
 * strangers guess does not lock the owner out there.
 */
export const authenticate = async (
  db: Database,
  limits: RateLimits,
  { loginId, password, device, network, turn }: Attempt,
) => {
  const place = { deviceId: device.deviceId, network }
  const { folded, user, knows_device, knows_network } = await findByLogin(db, loginId, place)
  const from = [knows_network && `network ${network}`, knows_device && `device ${device.deviceId}`].filter(Boolean)
  return failingRarely(limits, [folded, ...from].join('\n'), async () => {
    const renew = async (passwordHash: string) => user && store.changeUser(db, user.id, { password_hash: passwordHash })
    const correct = await passwordIs(password, user?.password_hash, turn, renew)
    const signedIn = correct ? await enter(db, user, device) : refuse('wrongDetails')
    await notePlace(db, signedIn.userId, place)
    return signedIn
  })
}

const forgedPerMinute = 10

/**
 * Signs in with a provider's ID token. The token is verified before any account is looked up, so neither the answer nor
 * its timing tells a forger whether one exists; nor can forgers lock out whom they name, as a valid token costs nothing.
 */
export const authenticateBy = async (
  db: Database,
  { limits, identities }: { limits: RateLimits; identities: Identities },
  proof: IdTokenProof,
  device: NewDevice,
) => {
  const identity = await identities.prove(proof)
  if (identity) return enter(db, await store.findByIdentity(db, identity), device)
  await limits.spend('forgedTokens', `${proof.type} ${proof.identifier}`, forgedPerMinute)
  return refuse('wrongDetails')
}

/** The only way into an existing account: opens a session, unless it is suspended. */
export const enter = async (
  db: Db,
  user: { id: number; status: number } | undefined,
  device: NewDevice,
): Promise<SignedIn> => {
  if (!user || user.status === userStatus.suspended) return refuse('wrongDetails')
  const open = (within: Db) => openSession(within, user.id, device)
  // Together, or the account could be erased in between.
  const session = await (user.status === userStatus.erasing ? transact(db, open) : open(db))
  return { userId: user.id, session }
}

/** Answers a repeated registration: a session for the account created first, if the password is correct. */
export const signInAgain = async (
  db: Database,
  userId: number,
  { password, device, turn }: { password: string; device: NewDevice; turn: Turn },
) => {
  const user = await store.readAccount(db, userId)
  if (!(await passwordIs(password, user.password_hash, turn)) || user.status === userStatus.suspended)
    throw new Unauthenticated()
  return enter(db, user, device)
}

/** The same for an account that a provider vouched for. */
export const signInAgainBy = async (db: Database, userId: number, identity: Identity, device: NewDevice) => {
  const user = await store.findByIdentity(db, identity)
  if (user?.id !== userId || user.status === userStatus.suspended) throw new Unauthenticated()
  return enter(db, user, device)
}
