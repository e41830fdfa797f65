import { accountsToErase, erasePerson, type Leaving, markErased } from '../accounts/erasing.ts'
import { eraseChatTraces, takeMessagesBack } from '../chats/account-deletion.ts'
import { eraseTraces, leaveEveryEvent } from '../events/erasing.ts'
import { eraseDeletedWords, forgetFilms, takeGalleryBack } from '../gallery/erasing.ts'
import { eraseNotifications, forgetMentions } from '../notifications/erasing.ts'
import { eraseRelations } from '../people/erasing.ts'
import { type Database, transact } from '../platform/database.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { FullSizes } from '../platform/media/full-size.ts'
import { forgetExports } from './exporting.ts'

type Keepers = { mailer: Pick<Mailer, 'forget'>; fullSizes: Pick<FullSizes, 'forgetOriginals'> }

/** Erases every account whose time to return is over. A job: what a crash leaves half done, the next one finishes. */
export const eraseDueAccounts = async (db: Database, { mailer, fullSizes }: Keepers): Promise<void> => {
  for (const leaving of await accountsToErase(db)) {
    // Before the address is forgotten, by which they are found.
    await mailer.forget(leaving)
    await eraseAccount(db, leaving, fullSizes)
  }
}

/**
 * The person first, so that nobody can sign in to an account that is half gone; what others see of it next, each act by
 * itself, as it waits for locks that everybody uses; the mark that it is done last.
 */
const eraseAccount = async (
  db: Database,
  { id, username, erasesContent }: Leaving,
  fullSizes: Keepers['fullSizes'],
): Promise<void> => {
  const gone = await transact(db, async tx => {
    if (!(await erasePerson(tx, id))) return false
    await forgetMentions(tx, username)
    return true
  })
  if (!gone) return
  await eraseNotifications(db, id)
  if (erasesContent) {
    await takeMessagesBack(db, id)
    await takeGalleryBack(db, id)
  }
  await leaveEveryEvent(db, id)
  await eraseTraces(db, id)
  await eraseRelations(db, id)
  await eraseChatTraces(db, id)
  await eraseDeletedWords(db, id)
  await forgetExports(db, id)
  await forgetFilms(db, id)
  await fullSizes.forgetOriginals(id)
  // Leaving told others, by name, what nobody is told of any more.
  await eraseNotifications(db, id)
  await transact(db, tx => markErased(tx, id))
}
