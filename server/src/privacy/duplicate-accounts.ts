import { makeErasureDue } from '../accounts/account-deletion.ts'
import type { Database } from '../platform/database/database.ts'
import type { ExportPart } from '../platform/export/export-part.ts'
import type { Slice } from '../slice.ts'
import { eraseDueAccounts } from './delete-accounts.ts'

/** Parts that every new account has and nobody would miss. */
const partsOfUntouchedAccounts = new Set([
  'account',
  'devices',
  'events',
  'answers',
  'notification_settings',
  'notifications',
  'chats-read',
])

type Tools = Parameters<typeof eraseDueAccounts>[2] & {
  exported: readonly ExportPart[]
  slices: readonly Pick<Slice, 'deletion'>[]
}

/**
 * Erases the account of a guest who came back as who they were before, unless there is anything of theirs in it. It has
 * been signed out, so nothing more comes.
 */
export const eraseDuplicate = async (
  db: Database,
  { exported, slices, ...keepers }: Tools,
  userId: number,
): Promise<void> => {
  for (const { name, rows } of exported) {
    if (partsOfUntouchedAccounts.has(name)) continue
    for await (const _ of await rows(db, userId)) return
  }
  await makeErasureDue(db, userId, { erasesContent: true })
  await eraseDueAccounts(db, slices, keepers)
}
