import { randomInt } from 'node:crypto'
import { ownAccount } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { sentence } from '@afterglow/contract/words'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { invalid, refuse, Unauthenticated } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import * as guests from './guests-store.ts'
import { usernameFrom } from './new-accounts.ts'
import { hashPassword } from './passwords/passwords.ts'
import { requireOwnSession } from './proofs.ts'
import type { Proven } from './providers/prove-identity.ts'
import { requestVerification } from './recovery/recovery.ts'
import type { Registration } from './registration/registration.ts'
import { isReserved } from './registration/reserved-usernames.ts'
import { endReturnKeys } from './returns/return-keys-store.ts'
import { type NewDevice, openSession, type Session } from './sessions/sessions.ts'
import { keepLetIn } from './sessions/sessions-store.ts'
import { refuseTaken } from './sessions/sign-in.ts'
import * as store from './store.ts'

/** Nobody receives mail under a name that ends like this (RFC 6761): the account has no address yet. */
const nowhere = '@guest.invalid'

/** Creates an account from just a name, with its first session. `cameBy`: the link, as a number. The username is generated and can be mentioned. */
export const openGuestAccount = async (
  tx: Transaction,
  name: Name,
  device: NewDevice,
  came: { cameBy: number; cameToAdd: boolean },
): Promise<{ userId: number; session: Session }> => {
  const userId = await addGuestAccount(tx, { ...name, timezone: device.timezone, ...came })
  return { userId, session: await openSession(tx, userId, device) }
}

type Name = { firstName: string; lastName: string }

/** An account from just a name, without a session; the same for a person whom an organizer adds. Returns its ID. */
export const addGuestAccount = async (
  tx: Transaction,
  guest: Name & { timezone: string } & guests.Origin,
): Promise<number> => {
  for (;;) {
    const username = `${usernameFrom(guest.firstName).slice(0, 20)}.${randomLetters()}`
    const userId = await guests.insertGuest(tx, { ...guest, username, email: `${username}${nowhere}` })
    if (userId !== undefined) return userId
  }
}

/** The name of a guest whom an organizer added. False if it is the same. */
export const { renameGuest } = guests

const letters = 'abcdefghjkmnpqrstvwxyz23456789'
const randomLetters = () => Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')

/** Signs a guest in again whose repeated request proved itself by its key; not once the account has a password. */
export const openGuestAgain = (db: Db, userId: number, device: NewDevice) =>
  transact(db, async tx => {
    if (!(await guests.lockGuest(tx, userId))) throw new Unauthenticated()
    return { userId, session: await openSession(tx, userId, device) }
  })

/** The session that a request was made with, as a reply repeats it. */
export const sessionOf = async (db: Db, { viewer, token }: { viewer: Viewer; token: string }) => {
  const expiresAt = await guests.sessionExpiry(db, viewer.deviceRow)
  if (!expiresAt) throw new Unauthenticated()
  return { userId: viewer.id, session: { token, expiresAt } }
}

export type Claim = {
  email: string | undefined
  username: string | undefined
  /** How the owner will sign in from now on. */
  by: { password: string } | { proven: Proven }
}

/**
 * Turns a guest account into a full account, which keeps its content and sessions, but for those that somebody else
 * opened. Refuses notGuest, letInLately, and names that are taken: an address or identity of another account never merges the two.
 */
export const claimAccount = async (
  db: Db,
  registration: Registration,
  viewer: Viewer,
  { by, ...asked }: Claim,
  language: Locale,
) => {
  registration.demandClaimable()
  await requireOwnSession(db, viewer)
  const passwordHash = 'password' in by ? await hashPassword(by.password) : null
  await transact(db, async tx => {
    if (!(await guests.lockGuest(tx, viewer.id))) refuse('notGuest')
    const identity = 'proven' in by ? await by.proven(tx) : undefined
    const email = asked.email ?? identity?.email ?? invalid('user_email', sentence.required)
    registration.demandDomain(email)
    const vouched = identity?.vouched === true && email === identity.email
    const before = await store.readAccount(tx, viewer.id)
    // First, because its owner's address would be taken as well: they should use that account.
    if (identity && !(await store.insertIdentity(tx, viewer.id, identity)))
      invalid('user_login_option_unique_identifier', sentence.taken)
    const names = { email, username: asked.username ?? before.username }
    if (asked.username && isReserved(asked.username)) await refuseTaken(tx, { ...names, exceptId: viewer.id })
    const { first_name, middle_name, last_name, visible } = before
    const changed = await store.updateUser(tx, viewer.id, { first_name, middle_name, last_name, visible, ...names })
    if (!changed) await refuseTaken(tx, { ...names, exceptId: viewer.id })
    if (!identity) await store.insertLoginOption(tx, viewer.id, ownAccount, email)
    await keepLetIn(tx, viewer.deviceRow)
    await guests.makeFull(tx, viewer.id, { passwordHash, verified: vouched })
    await endReturnKeys(tx, viewer.id)
    if (!vouched) await requestVerification(tx, viewer.id, email, language)
  })
}
