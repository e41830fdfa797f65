/** How guests without a password come back as themselves. */
import { z } from 'zod'
import { AuthenticatedAccount, deviceFields, ProviderSecret } from './accounts.ts'
import { badCode } from './recovery.ts'
import { notFound, route, says } from './route.ts'
import { Done, Id } from './words.ts'

const noSuchEvent = notFound('Event not found!')
const notInEvent = says('The user is neither a guest nor an organizer of the event')

const ReturnKey = ProviderSecret.describe(
  'The secret that this device keeps to come back by: 32 random bytes as base64url.',
)

export const makeReturnKey = route({
  name: 'makeReturnKey',
  summary:
    'Keeps a key with which a guest account signs in again on this device once its session has ended by itself. The client chooses it: 32 random bytes. Each device has one; it ends when the device signs out or is signed out, when an organizer removes the guest from this event, and when the account is claimed, suspended or erased.',
  at: [['POST', 'api/user/return/key']],
  perMinute: 30,
  input: z.object({ event_id: Id, return_key: ReturnKey }),
  reply: Done,
  refusals: { noSuchEvent, notInEvent, notGuest: says('The account is not a guest account') },
})

export const returnByKey = route({
  name: 'returnByKey',
  summary:
    'Signs this device in by the key that it kept. The key is replaced by the next one, which the client chooses and stores before it asks: if the reply is lost, both are sent again.',
  at: [['POST', 'api/user/return']],
  open: true,
  perMinute: 30,
  input: z.object({
    return_key: ReturnKey,
    next_return_key: ReturnKey.describe('The secret that replaces it.'),
    ...deviceFields,
  }),
  reply: AuthenticatedAccount,
  refusals: { badCode },
})
