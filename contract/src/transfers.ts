/** Signing in on another device with a code instead of a password. */
import { z } from 'zod'
import { AuthenticatedAccount, deviceFields, MinimalUser, ProviderSecret, proveFirst } from './accounts.ts'
import { badCode } from './recovery.ts'
import { route } from './route.ts'
import { shape, Timestamp, Url } from './words.ts'

export const AccountTransfer = shape('AccountTransfer', {
  /** The link for the other device to open. The code follows the #, so it appears in no server's log. */
  transfer_url: Url.describe('Link to open on the other device.'),
  transfer_qr: Url.describe('The link as a QR code: an SVG in a data URL.'),
  transfer_expires_at: Timestamp.describe('When the link expires.'),
})

const Code = z.object({ transfer_code: ProviderSecret })

export const makeTransfer = route({
  name: 'makeTransfer',
  summary:
    'Creates a link that signs one other device in to the account. It works once within ten minutes, replaces any previous link, and ends with the session that created it. This is how a guest account, which has no password, moves to another device.',
  at: [['POST', 'api/account/transfer']],
  perMinute: 10,
  input: z.object({}),
  reply: AccountTransfer,
  refusals: { proveFirst },
})

export const openTransfer = route({
  name: 'openTransfer',
  summary: 'Returns whose account a transfer code signs in to. Call it before using the code.',
  at: [['POST', 'api/account/transfer/open']],
  open: true,
  perMinute: 30,
  input: Code,
  reply: shape('OpenedTransfer', { user: MinimalUser }),
  refusals: { badCode },
})

export const takeTransfer = route({
  name: 'takeTransfer',
  summary: 'Signs this device in with a transfer code. The same device may repeat it if the reply is lost.',
  at: [['POST', 'api/account/transfer/take']],
  open: true,
  perMinute: 30,
  input: Code.extend(deviceFields),
  reply: AuthenticatedAccount,
  refusals: { badCode },
})
