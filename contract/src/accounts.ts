import { z } from 'zod'
import {
  deviceIdLengthMax,
  emailLengthMax,
  passwordLengthMax,
  passwordLengthMin,
  personNameLengthMax,
  platformLengthMax,
  usernameLengthMax,
  usernameLengthMin,
} from './limits.ts'
import { type RefusalPage, reload, showWords } from './refusal-advice.ts'
import { noRoom, notFound, route, says } from './route.ts'
import {
  count,
  Done,
  Email,
  Flag,
  IdNumber,
  matching,
  maybe,
  nameText,
  Page,
  Paging,
  sentence,
  shape,
  Timestamp,
  Timezone,
  text,
  Url,
} from './words.ts'

// ---- resources ----

export const userStatus = { active: 1, unverified: 2, suspended: 3, erasing: 4, guest: 5 } as const
export const ownAccount = 1

const person = {
  id: IdNumber,
  user_first_name: z.string(),
  user_middle_name: z.string().nullable(),
  user_last_name: z.string(),
}

export const SeenUser = shape('SeenUser', { ...person, user_avatar_url: Url })

const minimal = {
  ...person,
  user_username: z.string(),
  user_avatar_url: Url,
  user_visible: z.enum(['0', '1']),
}
export const MinimalUser = shape('MinimalUser', minimal)
export const MinimalUserWithFriend = shape('MinimalUserWithFriend', { ...minimal, friend: z.boolean() })

export const Account = shape('Account', {
  ...person,
  user_username: z.string(),
  user_email: z.string(),
  user_avatar_url: Url,
  user_visible: z.boolean(),
  user_status: z
    .int()
    .describe(
      '1 active, 2 e-mail not verified (everything works), 3 suspended, 4 scheduled for deletion, 5 guest via link.',
    ),
  user_timezone: z.string(),
  subscription_plan: z.strictObject({
    subscription_plan_title: z.string().describe('Name of the plan.'),
    subscription_plan_pricing: z.number().describe('Price of the plan.'),
    subscription_plan_expiration: Timestamp.describe('When the plan expires.'),
  }),
  user_login_options: z.array(
    z.strictObject({
      user_id: IdNumber,
      user_login_option_type: z.int(),
      user_login_option_unique_identifier: z.string(),
      user_login_option_name: z.string(),
    }),
  ),
  user_settings: z.strictObject({ user_setting_mute_notification: z.boolean() }).describe('Account settings.'),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const AuthenticatedAccount = shape('AuthenticatedAccount', {
  user: Account,
  token: z.string(),
  token_expiration: Timestamp.describe('When the token expires.'),
})

export const Device = shape('Device', {
  device_id: z.string(),
  user_device_platform: z.string(),
  user_timezone: z.string(),
  current: z.boolean().describe('Whether this is the device of the current session.'),
  active: z.boolean(),
  last_used_at: Timestamp.describe('When it was last used.'),
  created_at: Timestamp,
  updated_at: Timestamp,
})

// ---- fields ----

/** Names are sent to strangers by mail and push, so a name must not be a web address. */
export const pageAddress = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}\//iu
export const PersonName = nameText(personNameLengthMax).refine(name => !pageAddress.test(name), sentence.format)
export const Username = matching(/^[A-Za-z0-9._-]+$/, usernameLengthMax, usernameLengthMin)
export const NewPassword = text(passwordLengthMax, passwordLengthMin)
/** The value of `user_password`, depending on the login option: a password for a local account, an ID token for a provider. */
const NewPasswordOrIdToken = z.string(sentence.string).meta({ minLength: passwordLengthMin })

type Named = Partial<Record<'user_login_option_type' | 'user_password' | 'user_password_confirmation', unknown>>

/**
 * The login option type alone decides which of the two it is: judging by the value's form would exempt `a.b.c` from the
 * password rules. What a provider requires is checked once it is known to be one of ours.
 */
const faultOfNewPassword = (asked: Named): string | undefined => {
  if ((asked.user_login_option_type ?? ownAccount) !== ownAccount) return undefined
  const { user_password: password } = asked
  if (password === undefined) return sentence.required
  if (typeof password !== 'string') return undefined
  const [wrong] = NewPassword.safeParse(password).error?.issues ?? []
  if (wrong) return wrong.message
  return password === asked.user_password_confirmation ? undefined : sentence.confirmation
}
/** Checked even if other fields are invalid, so that one answer names them all. */
const newPasswordChecked = {
  path: ['user_password'],
  error: ({ input }: { input?: unknown }) => faultOfNewPassword(input as Named),
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/** Any text sent as an existing password. Its length is not validated, as that would tell an attacker something. */
const KnownPassword = z.string(sentence.string)
const DeviceId = text(deviceIdLengthMax)
const Platform = text(platformLengthMax).transform(platform => platform.toLowerCase())
export const LoginOptionType = count(1, 1_000_000)
/** 32 random bytes, or their SHA-256, as base64url. */
export const ProviderSecret = matching(/^[\w-]+$/, 128, 43)

export const deviceFields = { device_id: DeviceId, user_timezone: Timezone, user_device_platform: Platform }

export const wrongDetails = { status: 401, error_message: 'Incorrect Details. Please try again.' } as const
/** Depends on the operator's settings, which listProviders returns. */
export const registrationClosed = says('This service takes no new accounts.')
export const invitationNeeded = says('This service takes new accounts only from guests of an event.')
export const providerAway = says('The sign-in provider cannot be reached. Please try again later.')
export const badProviderCode = says('The sign-in has expired or was finished before. Please start again.')
export const wrongPassword = says('The current password is incorrect.')
/** This session has neither signed in nor confirmed the password within the last ten minutes. */
export const proveFirst = says('Please confirm that it is you: by your password, or by signing in again.')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  wrongDetails: {
    cause:
      'The account does not exist or is suspended, the password is wrong, or the ID token does not prove the identity.',
    client: 'Show the message and keep the login that was typed. The service does not say which detail was wrong.',
  },
  wrongPassword: { cause: 'The current password is wrong.', client: showWords },
  proveFirst: {
    cause: 'The action could hand over or delete the account, and this session has not re-authenticated recently.',
    client:
      'Ask for the password and send it to `POST api/account/prove`, or let the user sign in with their provider. Then send the request again.',
  },
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
  noSuchDevice: { cause: 'The account has no such device, or the device has signed out.', client: reload },
} satisfies Record<string, RefusalPage>

// ---- operations ----

export const register = route({
  name: 'register',
  documented: true,
  summary: 'Creates an account and signs this device in.',
  at: [['POST', 'api/account/register']],
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

export const authenticate = route({
  name: 'authenticate',
  documented: true,
  summary: 'Signs this device in and ends any earlier session of the same device.',
  at: [['POST', 'api/account/authenticate']],
  open: true,
  guesses: true,
  perMinute: 10,
  input: z.object({
    user_login_option_type: LoginOptionType,
    user_login_id: text(255).describe(
      'E-mail address, username or login identifier; for a sign-in provider, its subject.',
    ),
    user_password: KnownPassword,
    ...deviceFields,
  }),
  reply: AuthenticatedAccount,
  refusals: { wrongDetails, providerAway },
})

export const readAccount = route({
  name: 'readAccount',
  documented: true,
  summary: "Returns the viewer's own account.",
  at: [['GET', 'api/account']],
  input: z.object({}),
  reply: Account,
  refusals: {},
})

export const updateAccount = route({
  name: 'updateAccount',
  words: true,
  documented: true,
  summary:
    'Updates names, username, e-mail address and visibility, and applies the uploaded picture if requested. A new e-mail address is told to the previous one, which can undo the change for 14 days. Unless the session signed in or confirmed its password within the last ten minutes, the new address cannot reset the password for 14 days.',
  at: [['POST', 'api/account/details/update']],
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

export const logout = route({
  name: 'logout',
  summary: 'Ends this session, or every session of the account.',
  at: [['POST', 'api/account/logout']],
  input: z.object({ all_devices: maybe(Flag) }),
  reply: Done,
  refusals: {},
})

export const refreshToken = route({
  name: 'refreshToken',
  summary: 'Issues a new token for this device. The old one remains valid for another 60 seconds.',
  at: [['POST', 'api/account/token/refresh']],
  perMinute: 10,
  input: z.object({}),
  reply: AuthenticatedAccount,
  refusals: {},
})

export const stageAvatar = route({
  name: 'stageAvatar',
  summary: 'Uploads a picture. The next account update with profile_picture_updated makes it the avatar.',
  at: [['POST', 'api/account/avatar']],
  input: z.object({}),
  files: { profile_picture: { required: true, bytesMax: 'attachmentBytesMax' } },
  reply: shape('StagedAvatar', { user_avatar_url: Url }),
  refusals: noRoom(says),
})

export const removeAvatar = route({
  name: 'removeAvatar',
  summary: 'Removes the picture and restores the generated one.',
  at: [['DELETE', 'api/account/avatar']],
  input: z.object({}),
  reply: Account,
  refusals: {},
})

export const updateSettings = route({
  name: 'updateSettings',
  summary: 'Updates the account settings.',
  at: [['POST', 'api/account/settings/update']],
  input: z.object({ user_setting_mute_notification: Flag }),
  reply: Account,
  refusals: {},
})

export const updatePassword = route({
  name: 'updatePassword',
  summary: 'Changes the password and ends every other session.',
  at: [['POST', 'api/account/password/update']],
  perMinute: 10,
  input: z
    .object({
      current_password: KnownPassword,
      user_password: NewPassword,
      user_password_confirmation: z.string(sentence.string),
    })
    .refine(asked => asked.user_password === asked.user_password_confirmation, {
      path: ['user_password'],
      error: sentence.confirmation,
    }),
  reply: Done,
  refusals: { wrongPassword },
})

const isByPassword = (asked: { user_login_option_type?: unknown; provider_code?: unknown }) =>
  asked.provider_code === undefined && (asked.user_login_option_type ?? ownAccount) === ownAccount

export const proveAccount = route({
  name: 'proveAccount',
  summary:
    'Confirms the password for this session. For the next ten minutes, as after a sign-in, the session may perform sensitive actions: export the account, add a way to sign in, sign out another device. Users without a password sign in again on this device instead. Guest accounts need neither.',
  at: [['POST', 'api/account/prove']],
  perMinute: 10,
  input: z.object({ user_password: KnownPassword }),
  reply: shape('Proof', { proven_until: Timestamp }),
  refusals: { wrongPassword },
})

export const claimAccount = route({
  name: 'claimAccount',
  summary:
    'Turns a guest account into a full account by giving it a way to sign in: an e-mail address and a password, or a provider, identified by its ID token in user_password as in register, or by the code from a browser sign-in. The account keeps its content and its sessions.',
  at: [['POST', 'api/account/claim']],
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
  refusals: { notGuest: says('The account is not a guest account'), providerAway, badProviderCode, registrationClosed },
})

export const listDevices = route({
  name: 'listDevices',
  summary: 'Lists the signed-in devices, most recently used first.',
  at: [['GET', 'api/account/device/list']],
  input: z.object(Paging),
  reply: Page(Device),
  refusals: {},
})

export const removeDevice = route({
  name: 'removeDevice',
  summary: 'Signs a device out. Signing out another device requires recent re-authentication.',
  at: [['DELETE', 'api/account/device/{device_id}']],
  input: z.object({ device_id: DeviceId }),
  reply: Done,
  refusals: { noSuchDevice: notFound('Device not found!'), proveFirst },
})

// ---- whether the app is active ----

export const ping = route({
  name: 'ping',
  documented: true,
  summary: 'Marks the app as active on this device, so that notifications are sent over the realtime channel.',
  at: [['PUT', 'api/realtime/ping']],
  perMinute: 10,
  input: z.object({}),
  reply: shape('Active', { active: z.literal(true), active_until: Timestamp }),
  refusals: {},
})

export const disconnect = route({
  name: 'disconnect',
  documented: true,
  names: ['endActivity'],
  summary: 'Marks the app as inactive on this device, so that notifications are sent as pushes.',
  at: [
    ['PUT', 'api/realtime/disconnect'],
    ['DELETE', 'api/realtime/disconnect'],
  ],
  perMinute: 10,
  input: z.object({}),
  reply: shape('Inactive', { active: z.literal(false) }),
  refusals: {},
})
