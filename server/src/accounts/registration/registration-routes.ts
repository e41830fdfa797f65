import * as contract from '@afterglow/contract/accounts'
import { ownAccount } from '@afterglow/contract/accounts/user'
import { type Database, transact } from '../../platform/database/database.ts'
import type { AnonymousContext } from '../../platform/http/handler-context.ts'
import type { ServeOpen } from '../../platform/http/serve.ts'
import { deviceOf, faultsOfNames, proofOf } from '../account-fields.ts'
import { openAccountBy } from '../new-accounts.ts'
import type { AccountReplies } from '../present-replies.ts'
import type { Identities } from '../providers/identities.ts'
import { provenBy } from '../providers/prove-identity.ts'
import { openSession } from '../sessions/sessions.ts'
import { register, signInAgain, signInAgainBy } from '../sessions/sign-in.ts'
import type { Registration } from './registration.ts'

type Tools = { db: Database; identities: Identities; answers: AccountReplies; registration: Registration }
type Registering = AnonymousContext<typeof contract.register>

export const registrationRoutes = (
  serveOpen: ServeOpen,
  { db: database, identities, answers, registration }: Tools,
) => {
  const registerByProvider = async ({ input, urls, language, languageAsked, once }: Registering) => {
    const identity = await provenBy(identities, input.user_login_option_type, proofOf(input))
    const device = deviceOf(input, languageAsked)
    const newcomer = { ...namesOf(input), middleName: input.user_middle_name, timezone: device.timezone }
    return once(async db => {
      const signedIn = await transact(db, async tx => {
        const userId = await openAccountBy(tx, registration, identity, newcomer, language)
        return { userId, session: await openSession(tx, userId, device) }
      })
      return answers.signedIn(db, signedIn, urls)
    })
  }

  const registerByPassword = async ({ input, urls, language, languageAsked, once, turn }: Registering) => {
    registration.demandDomain(input.user_email)
    const asked = {
      ...namesOf(input),
      middleName: input.user_middle_name ?? null,
      password: input.user_password ?? '',
      identifier: input.user_login_option_unique_identifier,
      device: deviceOf(input, languageAsked),
      turn: turn(),
    }
    return once(async db => answers.signedIn(db, await register(db, asked, language), urls))
  }

  serveOpen(
    contract.register,
    async asking => {
      registration.demandOpen()
      return asking.input.user_login_option_type === ownAccount
        ? registerByPassword(asking)
        : registerByProvider(asking)
    },
    {
      keep: answer => answer.user.id,
      replay: (asking, userId: number) => registerAgain(asking, userId, { identities, answers }),
    },
    // Where nobody may register, nothing is revealed about others.
    async fields =>
      registration.who === 'open' ? faultsOfNames({ db: database, registration, identities }, fields, 0) : {},
  )
}

/** The token is not stored: a repeat proves the password and signs the device in again. */
const registerAgain = async (
  { db, input, urls, turn, languageAsked }: Registering,
  userId: number,
  { identities, answers }: Pick<Tools, 'identities' | 'answers'>,
) => {
  const device = deviceOf(input, languageAsked)
  const { user_login_option_type: type, user_password: password = '' } = input
  const signedIn =
    type === ownAccount
      ? await signInAgain(db, userId, { password, device, turn: turn() })
      : await signInAgainBy(db, userId, await provenBy(identities, type, proofOf(input)), device)
  return answers.signedIn(db, signedIn, urls)
}

const namesOf = (input: Registering['input']) => ({
  firstName: input.user_first_name,
  lastName: input.user_last_name,
  username: input.user_username,
  email: input.user_email,
})
