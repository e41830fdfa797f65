import { z } from 'zod'
import { providerAway } from '../accounts.ts'
import { type RefusalPage, reload } from '../refusal-advice.ts'
import { notFound, route } from '../route.ts'
import { Done, Flag, maybe, Page, Paging, shape, Timestamp, text } from '../words.ts'
import { DeviceId, deviceFields, KnownPassword, LoginOptionType } from './account-fields.ts'
import { letInLately, proveFirst } from './passwords.ts'
import { AuthenticatedAccount, MinimalUser } from './user.ts'

export const Device = shape('Device', {
  device_id: z.string(),
  user_device_platform: z.string(),
  user_timezone: z.string(),
  current: z.boolean().describe('Whether this is the device of the current session.'),
  active: z.boolean(),
  let_in_by: MinimalUser.nullable().describe('The organizer who let this device in; null if its owner signed in.'),
  last_used_at: Timestamp.describe('When it was last used.'),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const wrongDetails = { status: 401, error_message: 'Incorrect Details. Please try again.' } as const

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  wrongDetails: {
    cause:
      'The account does not exist or is suspended, the password is wrong, or the ID token does not prove the identity.',
    client: 'Show the message and keep the login that was typed. The service does not say which detail was wrong.',
  },
  noSuchDevice: { cause: 'The account has no such device, or the device has signed out.', client: reload },
} satisfies Record<string, RefusalPage>

export const authenticate = route('authenticate', 'POST api/account/authenticate', {
  opens: ['session'],
  documented: true,
  summary: 'Signs this device in and ends any earlier session of the same device.',
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

export const logout = route('logout', 'POST api/account/logout', {
  summary: 'Ends this session, or every session of the account, and with them its calendar address unless it is kept.',
  input: z.object({
    all_devices: maybe(Flag),
    keep_calendar: maybe(Flag).describe('With `all_devices`: whether the calendar address goes on.'),
  }),
  reply: Done,
  refusals: { letInLately },
})

export const refreshToken = route('refreshToken', 'POST api/account/token/refresh', {
  opens: ['session'],
  summary: 'Issues a new token for this device. The old one remains valid for another 60 seconds.',
  perMinute: 10,
  input: z.object({}),
  reply: AuthenticatedAccount,
  refusals: {},
})

export const listDevices = route('listDevices', 'GET api/account/device/list', {
  summary: 'Lists the signed-in devices, most recently used first.',
  input: z.object(Paging),
  reply: Page(Device),
  refusals: {},
})

export const removeDevice = route('removeDevice', 'DELETE api/account/device/{device_id}', {
  summary: 'Signs a device out. Signing out another device requires recent re-authentication.',
  input: z.object({ device_id: DeviceId }),
  reply: Done,
  refusals: { noSuchDevice: notFound('Device not found!'), proveFirst, letInLately },
})

export const disownLetIns = route('disownLetIns', 'DELETE api/account/let-in', {
  summary:
    'Says that it was somebody else whom organizers let in as this guest: those sessions end, and so does the code that the guest keeps.',
  perMinute: 10,
  input: z.object({}),
  reply: Done,
  refusals: { letInLately },
})

export const ping = route('ping', 'PUT api/realtime/ping', {
  documented: true,
  summary: 'Marks the app as active on this device, so that notifications are sent over the realtime channel.',
  perMinute: 10,
  input: z.object({}),
  reply: shape('Active', { active: z.literal(true), active_until: Timestamp }),
  refusals: {},
})

export const disconnect = route('disconnect', ['PUT api/realtime/disconnect', 'DELETE api/realtime/disconnect'], {
  documented: true,
  names: ['endActivity'],
  summary: 'Marks the app as inactive on this device, so that notifications are sent as pushes.',
  perMinute: 10,
  input: z.object({}),
  reply: shape('Inactive', { active: z.literal(false) }),
  refusals: {},
})
