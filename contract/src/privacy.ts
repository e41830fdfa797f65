/** Exporting one's data and deleting one's account are always possible. */
import { z } from 'zod'
import { letInLately, proveFirst, wrongPassword } from './accounts/passwords.ts'
import type { RefusalPage } from './refusal-advice.ts'
import { noRoom, notFound, route, says } from './route.ts'
import { Count, Flag, Id, IdNumber, maybe, Page, Paging, sentence, shape, Timestamp, Url } from './words.ts'

// ---- resources ----

export const AccountExport = shape('AccountExport', {
  id: IdNumber,
  export_state: z.enum(['waiting', 'ready', 'failed']).describe('Whether the export is in progress, ready or expired.'),
  /**
   * A zip. Null until it is ready, or if the session has not re-authenticated within ten minutes. The link is valid for
   * hours and dies with its owner's sessions; asking again gives a fresh one until the export expires.
   */
  export_url: Url.nullable().describe(
    'Where to download the export; null until it is ready, or if the session has not re-authenticated recently.',
  ),
  export_bytes: Count.nullable().describe('Size of the export in bytes.'),
  export_expires_at: Timestamp.describe('When the export is deleted.'),
  created_at: Timestamp,
})

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchExport: { cause: 'The export does not exist or has expired.', client: 'Offer to create another one.' },
} satisfies Record<string, RefusalPage>

// ---- operations ----

export const exportAccount = route('exportAccount', 'POST api/account/export', {
  opens: ['address of an export'],
  summary:
    'Starts an export of all of the viewer’s own content as a zip file: text as JSON, media as uploaded. A notification arrives when it is ready. Repeating the request within an hour returns the same export; after that, a new one replaces it. The export counts towards the viewer’s storage.',
  perMinute: 10,
  input: z.object({}),
  reply: AccountExport,
  refusals: { proveFirst, letInLately, ...noRoom(says) },
})

export const listExports = route('listExports', 'GET api/account/export/list', {
  opens: ['address of an export'],
  summary: 'Lists the viewer’s current export and any export in progress to replace it, newest first.',
  input: z.object(Paging),
  reply: Page(AccountExport),
  refusals: {},
})

export const readExport = route('readExport', 'GET api/account/export/{account_export_id}', {
  opens: ['address of an export'],
  summary: 'Returns the state of an export and where to download it.',
  input: z.object({ account_export_id: Id }),
  reply: AccountExport,
  refusals: { noSuchExport: notFound('Export not found!') },
})

const SeenSettings = shape('SeenSettings', { seen_shown: z.boolean() })

export const readSeenSettings = route('readSeenSettings', 'GET api/account/seen', {
  summary: 'Returns whether the viewer shares what they have read.',
  input: z.object({}),
  reply: SeenSettings,
  refusals: {},
})

export const saveSeenSettings = route('saveSeenSettings', 'POST api/account/seen', {
  summary:
    'Sets whether others can see what the viewer has read. Anyone who switches this off cannot see what others have read either. Unread counts are not affected.',
  input: z.object({ seen_shown: Flag }),
  reply: SeenSettings,
  refusals: {},
})

export const deleteAccount = route('deleteAccount', 'DELETE api/account', {
  summary:
    'Ends every session and erases the account after 14 days, unless its owner signs in before. Messages, comments and photos remain under “Deleted user” unless erase_content is true. Accounts without a password must have signed in within the last ten minutes.',
  perMinute: 10,
  input: z.object({ user_password: maybe(z.string(sentence.string)), erase_content: maybe(Flag) }),
  reply: shape('AccountErasure', { erased_after: Timestamp }),
  refusals: { wrongPassword, proveFirst, letInLately },
})
