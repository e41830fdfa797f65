/** Signing in on another device with a code instead of a password. */
import { z } from 'zod'
import { deviceFields } from './accounts/account-fields.ts'
import { letInLately, proveFirst } from './accounts/passwords.ts'
import { AuthenticatedAccount, MinimalUser } from './accounts/user.ts'
import { badCode } from './recovery.ts'
import { route } from './route.ts'
import { matching, shape, Timestamp, Url } from './words.ts'

export const AccountTransfer = shape('AccountTransfer', {
  /** The link for the other device to open. The code follows the #, so it appears in no server's log. */
  transfer_url: Url.describe('Link to open on the other device.'),
  transfer_qr: Url.describe('The link as a QR code: an SVG in a data URL.'),
  transfer_expires_at: Timestamp.describe('When the link expires.'),
})

/** The code of a link, or the one that a guest has written down. */
const Code = z.object({ transfer_code: matching(/^[\w -]+$/, 128, 20) })

export const makeTransfer = route('makeTransfer', 'POST api/account/transfer', {
  opens: ['code of a device'],
  summary:
    'Creates a link that signs one other device in to the account. It works once within ten minutes, replaces any previous link, and ends with the session that created it. This is how a guest account, which has no password, moves to another device.',
  perMinute: 10,
  input: z.object({}),
  reply: AccountTransfer,
  refusals: { proveFirst, letInLately },
})

export const openTransfer = route('openTransfer', 'POST api/account/transfer/open', {
  summary: 'Returns whose account a transfer code signs in to. Call it before using the code.',
  open: true,
  perMinute: 30,
  input: Code,
  reply: shape('OpenedTransfer', { user: MinimalUser }),
  refusals: { badCode },
})

export const takeTransfer = route('takeTransfer', 'POST api/account/transfer/take', {
  opens: ['session of a device', 'session that was let in'],
  summary:
    'Signs this device in with a code: of a transfer link, of a guest who keeps one, or by which an organizer lets a guest in again, except where that organizer is signed in. The same device may repeat it if the reply is lost. With the bearer token of another guest account, that one is signed out, and goes if nothing was left by it.',
  open: 'either',
  perMinute: 30,
  input: Code.extend(deviceFields),
  reply: AuthenticatedAccount,
  refusals: { badCode },
})
