/** What people may always do: leave. */
import { z } from 'zod'
import { route, says } from './route.ts'
import { Flag, maybe, sentence, shape, Timestamp } from './words.ts'

export const deleteAccount = route({
  name: 'deleteAccount',
  summary:
    'Ends every session and erases the account after 14 days, unless its owner signs in before. Messages, comments and photos stay under “Deleted user” unless erase_content is true. Accounts without a password must have signed in within 15 minutes.',
  at: [['DELETE', 'api/account']],
  perMinute: 10,
  input: z.object({ user_password: maybe(z.string(sentence.string)), erase_content: maybe(Flag) }),
  reply: shape('AccountErasure', { erased_after: Timestamp }),
  refusals: {
    wrongPassword: says('The current password is incorrect.'),
    signInAgain: says('Sign in again before deleting the account.'),
  },
})
