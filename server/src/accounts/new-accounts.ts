import { randomInt } from 'node:crypto'
import { userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { usernameLengthMin } from '@afterglow/contract/limits'
import { messageFor } from '@afterglow/contract/sentences'
import { sentence } from '@afterglow/contract/words'
import type { Transaction } from '../platform/database/database.ts'
import { Invalid } from '../platform/http/refusals.ts'
import type { Identity } from './providers/identities.ts'
import { requestVerification } from './recovery/recovery.ts'
import type { Registration } from './registration/registration.ts'
import { isReserved } from './registration/reserved-usernames.ts'
import { refuseTaken } from './sessions/sign-in.ts'
import * as store from './store.ts'

export type Newcomer = {
  firstName: string | undefined
  middleName: string | undefined
  lastName: string | undefined
  username: string | undefined
  email: string | undefined
  timezone: string
}

/**
 * Creates an account for somebody whom a provider vouches for: what they enter takes precedence over what it says.
 * Refuses, naming the fields, if something is missing, and an e-mail address of another account, with which it is never
 * merged.
 */
export const openAccountBy = async (
  tx: Transaction,
  registration: Registration,
  identity: Identity,
  newcomer: Newcomer,
  language: Locale,
): Promise<number> => {
  const { firstName, lastName, email } = completed(identity, newcomer)
  registration.demandDomain(email)
  const vouched = identity.vouched && email === identity.email
  const user = {
    first_name: firstName,
    middle_name: newcomer.middleName ?? null,
    last_name: lastName,
    email,
    timezone: newcomer.timezone,
    password_hash: null,
    status: vouched ? userStatus.active : userStatus.unverified,
  }
  const userId = await insertNamed(tx, user, newcomer.username)
  if (!(await store.insertIdentity(tx, userId, identity)))
    throw new Invalid(said('user_login_option_unique_identifier', sentence.taken))
  if (!vouched) await requestVerification(tx, userId, email, language)
  return userId
}

const said = (field: string, template: string) => ({ [field]: [messageFor(template, field)] })

const completed = (identity: Identity, newcomer: Newcomer) => {
  const { firstName = identity.firstName, lastName = identity.lastName, email = identity.email } = newcomer
  if (firstName !== undefined && lastName !== undefined && email !== undefined) return { firstName, lastName, email }
  throw new Invalid({
    ...(firstName === undefined && said('user_first_name', sentence.required)),
    ...(lastName === undefined && said('user_last_name', sentence.required)),
    ...(email === undefined && said('user_email', sentence.required)),
  })
}

type Unnamed = Omit<store.NewUser, 'username'>

/** With the username they wish, or one made from their name, with a number if it is taken. */
const insertNamed = async (tx: Transaction, user: Unnamed, wish: string | undefined): Promise<number> => {
  if (wish !== undefined && isReserved(wish)) await refuseTaken(tx, { username: wish, email: user.email, exceptId: 0 })
  const base = wish ?? usernameFrom(`${user.first_name}.${user.last_name}`)
  for (let username = base; ; username = `${base}${randomInt(10_000)}`) {
    const userId = await store.insertUser(tx, { ...user, username })
    if (userId !== undefined) return userId
    const taken = await store.takenBy(tx, { username, email: user.email, exceptId: 0 })
    if (wish !== undefined || taken.email)
      await refuseTaken(tx, { username: wish ?? '', email: user.email, exceptId: 0 })
  }
}

/** The Latin letters of a name without diacritics. A name without any, in another script, becomes guest. */
export const usernameFrom = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]/g, '')
    .replaceAll(/\.+/g, '.')
    .replaceAll(/^\.|\.$/g, '')
    .slice(0, 40)
  return plain.length < usernameLengthMin || isReserved(plain) ? 'guest' : plain
}
