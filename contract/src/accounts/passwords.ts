import { z } from 'zod'
import { type RefusalPage, showWords } from '../refusal-advice.ts'
import { route, says } from '../route.ts'
import { Done, Flag, maybe, sentence, shape, Timestamp } from '../words.ts'
import { KnownPassword, NewPassword } from './account-fields.ts'

export const wrongPassword = says('The current password is incorrect.')
/** This session has neither signed in nor confirmed the password within the last ten minutes. */
export const proveFirst = says('Please confirm that it is you: by your password, or by signing in again.')

/** The owner is signed in elsewhere and has a day to say that it was somebody else. */
export const letInLately = says(
  'An organizer let this device in less than a day ago. Use a device that was signed in before, or wait until tomorrow.',
)

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  wrongPassword: { cause: 'The current password is wrong.', client: showWords },
  proveFirst: {
    cause: 'The action could hand over or delete the account, and this session has not re-authenticated recently.',
    client:
      'Ask for the password and send it to `POST api/account/prove`, or let the user sign in with their provider. Then send the request again.',
  },
  letInLately: {
    cause:
      'An organizer let this session in less than a day ago, and the account has one that was there before: its owner has a day to say that it was somebody else.',
    client: showWords,
  },
} satisfies Record<string, RefusalPage>

export const updatePassword = route('updatePassword', 'POST api/account/password/update', {
  summary: 'Changes the password, and ends every other session and, unless it is kept, the calendar address.',
  perMinute: 10,
  input: z
    .object({
      current_password: KnownPassword,
      user_password: NewPassword,
      user_password_confirmation: z.string(sentence.string),
      keep_calendar: maybe(Flag).describe('Whether the calendar address goes on.'),
    })
    .refine(asked => asked.user_password === asked.user_password_confirmation, {
      path: ['user_password'],
      error: sentence.confirmation,
    }),
  reply: Done,
  refusals: { wrongPassword },
})

export const proveAccount = route('proveAccount', 'POST api/account/prove', {
  summary:
    'Confirms the password for this session. For the next ten minutes, as after a sign-in, the session may perform sensitive actions: export the account, add a way to sign in, sign out another device. Users without a password sign in again on this device instead. Guest accounts need neither.',
  perMinute: 10,
  input: z.object({ user_password: KnownPassword }),
  reply: shape('Proof', { proven_until: Timestamp }),
  refusals: { wrongPassword },
})
