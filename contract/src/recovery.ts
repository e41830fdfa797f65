/** Operations that use a code sent by mail: verifying an e-mail address and resetting a password. */
import { z } from 'zod'
import { NewPassword } from './accounts/account-fields.ts'
import { Account } from './accounts/user.ts'
import { emailLengthMax } from './limits.ts'
import type { RefusalPage } from './refusal-advice.ts'
import { route, says } from './route.ts'
import { Done, Email, sentence, text } from './words.ts'

/** As in the mail, with or without hyphens, in any case. */
const MailedCode = text(64)
export const badCode = says('The code is invalid or has expired.')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  badCode: {
    cause: 'The code or key is wrong, expired or already used, or its account has ended.',
    client: 'Offer to send another e-mail or to make another code; forget a key.',
  },
  nothingToVerify: {
    cause: 'The account has no unverified e-mail address.',
    client: 'Reload the account and stop offering this.',
  },
  tooManyMails: {
    cause: 'Several e-mails have been sent to this address within the last hour.',
    client: 'Suggest checking the spam folder, and offer it again later.',
  },
} satisfies Record<string, RefusalPage>

export const forgotPassword = route('forgotPassword', 'POST api/account/password/forgot', {
  summary: 'Sends a password reset code if the address belongs to an account. The reply is the same if it does not.',
  open: true,
  perMinute: 10,
  input: z.object({ user_email: Email(emailLengthMax) }),
  reply: Done,
  refusals: {},
})

export const resetPassword = route('resetPassword', 'POST api/account/password/reset', {
  summary: 'Sets a new password with the code from the e-mail, which works once. Ends every session.',
  open: true,
  perMinute: 10,
  input: z
    .object({
      reset_code: MailedCode,
      user_password: NewPassword,
      user_password_confirmation: z.string(sentence.string),
    })
    .refine(asked => asked.user_password === asked.user_password_confirmation, {
      path: ['user_password'],
      error: sentence.confirmation,
    }),
  reply: Done,
  refusals: { badCode },
})

export const undoEmail = route('undoEmail', 'POST api/account/email/undo', {
  summary:
    'Undoes a change of the e-mail address with the code that the previous address received. Ends every session.',
  open: true,
  perMinute: 10,
  input: z.object({ undo_code: MailedCode }),
  reply: Done,
  refusals: { badCode },
})

export const verifyEmail = route('verifyEmail', 'POST api/account/email/verify', {
  summary: 'Verifies the viewer’s e-mail address with the code from the e-mail: user_status becomes 1.',
  perMinute: 10,
  input: z.object({ verification_code: MailedCode }),
  reply: Account,
  refusals: { badCode },
})

export const resendVerification = route('resendVerification', 'POST api/account/email/resend', {
  summary: 'Sends a new verification code by e-mail and invalidates the previous one.',
  perMinute: 10,
  input: z.object({}),
  reply: Done,
  refusals: {
    nothingToVerify: says('There is no e-mail address to verify.'),
    tooManyMails: says('Too many mails were sent to this address. Please try again later.'),
  },
})
