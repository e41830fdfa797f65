import { mailboxOf } from '@afterglow/contract/normalization'
import { type Database, type Db, transact } from '../../platform/database/database.ts'
import * as store from '../store.ts'

/** Accounts from before addresses had one spelling, whose address is written in another. */
export const findUnnormalizedAddresses = async (db: Db) =>
  (await store.readUnplainAddresses(db)).filter(({ email }) => mailboxOf(email) !== email)

/** Gives each its one spelling, and says which accounts cannot have it because another has that mailbox. */
export const normalizeMailboxes = async (db: Database, log: { warn(about: object, sentence: string): void }) => {
  for (const { id, email } of await findUnnormalizedAddresses(db)) {
    const mailbox = mailboxOf(email)
    const settled = await transact(db, async tx => {
      const free = await store.respellEmail(tx, id, mailbox)
      if (free) await store.moveOwnLogin(tx, id, { from: email, to: mailbox })
      return free
    })
    if (!settled) log.warn({ userId: id }, 'another account has the same mailbox: see `doctor`')
  }
}
