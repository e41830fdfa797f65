import { accountsToErase, erasePerson, type LeavingAccount, markErased } from '../accounts/account-deletion.ts'
import { eraseNotifications } from '../notifications/account-deletion.ts'
import { type Database, transact } from '../platform/database/database.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { FullSizes } from '../platform/media/full-size.ts'
import type { Storage } from '../platform/media/storage/storage.ts'
import { removeNow } from '../platform/media/storage/sweep.ts'
import type { Slice } from '../slice.ts'
import { forgetExports } from './exports.ts'

type Keepers = { mailer: Pick<Mailer, 'forget'>; fullSizes: Pick<FullSizes, 'forgetOriginals'>; storage: Storage }

/** Erases every account whose grace period is over. A job: whatever a crash leaves half done, the next run finishes. */
export const eraseDueAccounts = async (
  db: Database,
  slices: readonly Pick<Slice, 'deletion' | 'files'>[],
  { mailer, ...keepers }: Keepers,
): Promise<void> => {
  for (const leaving of await accountsToErase(db)) {
    // Before the address, by which they are found, is erased.
    await mailer.forget(leaving)
    await eraseAccount(db, leaving, slices, keepers)
  }
}

/**
 * The person first, so that nobody can sign in to a half-erased account; then what others see of it, each step by
 * itself because it waits for locks that everybody uses; the mark that it is done comes last.
 */
const eraseAccount = async (
  db: Database,
  { id, username, erasesContent }: LeavingAccount,
  slices: readonly Pick<Slice, 'deletion' | 'files'>[],
  { fullSizes, storage }: Omit<Keepers, 'mailer'>,
): Promise<void> => {
  const deletions = slices.flatMap(({ deletion }) => deletion ?? [])
  const gone = await transact(db, async tx => {
    if (!(await erasePerson(tx, id))) return false
    for (const { withName } of deletions) await withName?.(tx, username)
    return true
  })
  if (!gone) return
  if (erasesContent) for (const { content } of deletions) await content?.(db, id)
  for (const { traces } of deletions) await traces?.(db, id)
  const exported = await forgetExports(db, id)
  // A copy of everything: it does not wait for the sweeper.
  await removeNow(
    db,
    storage,
    slices.flatMap(({ files }) => files ?? []),
    exported,
  )
  // Their media last, because poster images of videos are among them, and exports are media, too.
  await fullSizes.forgetOriginals(id)
  // Leaving notified others by name, and nobody is to be notified of it any more.
  await eraseNotifications(db, id)
  await transact(db, tx => markErased(tx, id))
}
