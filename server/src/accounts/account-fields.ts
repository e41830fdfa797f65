import { Username } from '@afterglow/contract/accounts/account-fields'
import { userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { emailLengthMax } from '@afterglow/contract/limits'
import { messageFor, type ValidationBody } from '@afterglow/contract/sentences'
import { Email, sentence } from '@afterglow/contract/words'
import type { Db } from '../platform/database/database.ts'
import { Invalid } from '../platform/http/refusals.ts'
import type { Identities } from './providers/identities.ts'
import type { Proof } from './providers/prove-identity.ts'
import type { Registration } from './registration/registration.ts'
import type { NewDevice } from './sessions/sessions.ts'
import * as store from './store.ts'

const EmailOfAccount = Email(emailLengthMax)

type FieldChecks = { db: Db; registration: Registration; identities?: Identities }

/**
 * Problems with account fields that only the service can detect: a taken name, a domain that is not allowed, a provider
 * that is not configured. Fields invalid in themselves are left to the contract.
 */
export const faultsOfNames = async (
  { db, registration, identities }: FieldChecks,
  fields: Readonly<Record<string, unknown>>,
  exceptId: number,
): Promise<ValidationBody> => {
  const username = Username.safeParse(fields.user_username).data
  const email = EmailOfAccount.safeParse(fields.user_email).data
  const taken = await store.takenBy(db, { username: username ?? '', email: email ?? '', exceptId })
  return {
    ...(identities && judged(() => identities.demandType(fields.user_login_option_type))),
    ...(email !== undefined && judged(() => registration.demandDomain(email))),
    ...(username !== undefined && taken.username && takenFaults('user_username')),
    ...(email !== undefined && taken.email && takenFaults('user_email')),
  }
}

/** Only a guest account may have no last name. */
export const faultsOfProfile = async (
  judged: FieldChecks,
  fields: Readonly<Record<string, unknown>>,
  viewerId: number,
): Promise<ValidationBody> => ({
  ...(await faultsOfNames(judged, fields, viewerId)),
  ...((fields.user_last_name ?? null) === null &&
    (await store.readAccount(judged.db, viewerId)).status !== userStatus.guest && {
      user_last_name: [messageFor(sentence.required, 'user_last_name')],
    }),
})

const takenFaults = (field: string) => ({ [field]: [messageFor(sentence.taken, field)] })

const judged = (demand: () => void): ValidationBody => {
  try {
    demand()
    return {}
  } catch (error) {
    if (error instanceof Invalid) return error.body
    throw error
  }
}

type DeviceFields = { device_id: string; user_timezone: string; user_device_platform: string }
export const deviceOf = (input: DeviceFields, language: Locale | undefined): NewDevice => ({
  deviceId: input.device_id,
  platform: input.user_device_platform,
  timezone: input.user_timezone,
  language,
})

type ProofFields = {
  user_login_option_type?: number | undefined
  user_login_option_unique_identifier?: string | undefined
  user_password?: string | undefined
  provider_code?: string | undefined
  provider_verifier?: string | undefined
}
export const proofOf = (input: ProofFields): Proof => ({
  identifier: input.user_login_option_unique_identifier,
  idToken: input.user_password,
  code: input.provider_code,
  verifier: input.provider_verifier,
  type: input.user_login_option_type,
})
