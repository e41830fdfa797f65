import { z } from 'zod'
import {
  deviceFields,
  faultOfNewPassword,
  LoginOptionType,
  NewPasswordOrIdToken,
  newPasswordChecked,
  PersonName,
  ProviderSecret,
  Username,
} from './accounts/account-fields.ts'
import { letInLately } from './accounts/passwords.ts'
import { Account, AuthenticatedAccount, ownAccount } from './accounts/user.ts'
import { emailLengthMax } from './limits.ts'
import type { RefusalPage } from './refusal-advice.ts'
import { noRoom, route, says } from './route.ts'
import { Email, Flag, maybe, sentence, shape, text, Url } from './words.ts'

/** Depends on the operator's settings, which listProviders returns. */
export const registrationClosed = says('This service takes no new accounts.')
export const invitationNeeded = says('This service takes new accounts only from guests of an event.')
export const providerAway = says('The sign-in provider cannot be reached. Please try again later.')
export const badProviderCode = says('The sign-in has expired or was finished before. Please start again.')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  badProviderCode: {
    cause: 'The code that the browser brought back from the provider is expired or already used.',
    client: 'Restart the sign-in with the provider.',
  },
  providerAway: {
    cause: 'The sign-in provider does not respond, so its ID token cannot be checked.',
    client: 'Offer to try again or to sign in another way.',
  },
  registrationClosed: {
    cause: 'The operator does not accept new accounts.',
    client: 'Do not offer registration. Existing users can still sign in.',
  },
  invitationNeeded: {
    cause: 'New accounts require a link to an event: join as a guest, then complete the account.',
    client: 'Explain that a link to an event is needed.',
  },
  notGuest: { cause: 'The account is already a full account.', client: 'Reload the account and stop offering this.' },
} satisfies Record<string, RefusalPage>

export const register = route('register', 'POST api/account/register', {
  opens: ['session'],
  documented: true,
  summary: 'Creates an account and signs this device in.',
  open: true,
  idempotent: true,
  perMinute: 10,
  input: z
    .object({
      user_first_name: PersonName,
      user_middle_name: maybe(PersonName).describe('Middle name, if there is one.'),
      user_last_name: PersonName.describe('Last name.'),
      user_username: Username,
      user_email: Email(emailLengthMax),
      /** For a provider, its ID token. */
      user_password: maybe(NewPasswordOrIdToken),
      user_password_confirmation: maybe(z.string(sentence.string)),
      user_login_option_type: LoginOptionType,
      user_login_option_unique_identifier: maybe(text(255)),
      ...deviceFields,
    })
    .refine(asked => faultOfNewPassword(asked) === undefined, newPasswordChecked),
  reply: AuthenticatedAccount,
  refusals: { providerAway, registrationClosed, invitationNeeded },
})

export const readAccount = route('readAccount', 'GET api/account', {
  documented: true,
  summary: "Returns the viewer's own account.",
  input: z.object({}),
  reply: Account,
  refusals: {},
})

export const updateAccount = route('updateAccount', 'POST api/account/details/update', {
  words: true,
  documented: true,
  summary:
    'Updates names, username, e-mail address and visibility, and applies the uploaded picture if requested. A new e-mail address is told to the previous one, which can undo the change for 14 days. Unless the session signed in or confirmed its password within the last ten minutes, the new address cannot reset the password for 14 days.',
  input: z.object({
    user_first_name: PersonName,
    user_middle_name: maybe(PersonName).describe('Middle name. Without it, there is none.'),
    /** Only a guest account may have none. */
    user_last_name: maybe(PersonName).describe('Last name. Guest accounts may omit it.'),
    user_email: Email(emailLengthMax),
    user_username: Username,
    user_visible: maybe(Flag),
    profile_picture_updated: maybe(Flag).describe('Whether to use the uploaded picture as the avatar.'),
  }),
  alsoRequired: ['user_last_name'],
  files: { profile_picture: { bytesMax: 'attachmentBytesMax' } },
  reply: Account,
  refusals: noRoom(says),
})

export const stageAvatar = route('stageAvatar', 'POST api/account/avatar', {
  summary: 'Uploads a picture. The next account update with profile_picture_updated makes it the avatar.',
  input: z.object({}),
  files: { profile_picture: { required: true, bytesMax: 'attachmentBytesMax' } },
  reply: shape('StagedAvatar', { user_avatar_url: Url }),
  refusals: noRoom(says),
})

export const removeAvatar = route('removeAvatar', 'DELETE api/account/avatar', {
  summary: 'Removes the picture and restores the generated one.',
  input: z.object({}),
  reply: Account,
  refusals: {},
})

export const updateSettings = route('updateSettings', 'POST api/account/settings/update', {
  summary: 'Updates the account settings.',
  input: z.object({ user_setting_mute_notification: Flag }),
  reply: Account,
  refusals: {},
})

const isByPassword = (asked: { user_login_option_type?: unknown; provider_code?: unknown }) =>
  asked.provider_code === undefined && (asked.user_login_option_type ?? ownAccount) === ownAccount

export const claimAccount = route('claimAccount', 'POST api/account/claim', {
  summary:
    'Turns a guest account into a full account by giving it a way to sign in: an e-mail address and a password, or a provider, identified by its ID token in user_password as in register, or by the code from a browser sign-in. The account keeps its content and its sessions.',
  perMinute: 10,
  input: z
    .object({
      user_email: maybe(Email(emailLengthMax)),
      user_username: maybe(Username),
      user_password: maybe(NewPasswordOrIdToken),
      user_password_confirmation: maybe(z.string(sentence.string)),
      user_login_option_type: maybe(LoginOptionType),
      user_login_option_unique_identifier: maybe(text(255)),
      provider_code: maybe(ProviderSecret),
      provider_verifier: maybe(ProviderSecret),
    })
    .superRefine((asked, check) => {
      const say = (field: string) =>
        check.addIssue({ code: 'custom', path: [field], message: sentence.required, input: undefined })
      if (asked.provider_code !== undefined && asked.provider_verifier === undefined) say('provider_verifier')
      if (isByPassword(asked) && asked.user_email === undefined) say('user_email')
    })
    .refine(asked => !isByPassword(asked) || faultOfNewPassword(asked) === undefined, newPasswordChecked),
  reply: Account,
  refusals: {
    notGuest: says('The account is not a guest account'),
    letInLately,
    providerAway,
    badProviderCode,
    registrationClosed,
  },
})
