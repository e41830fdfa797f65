import * as accounts from '../accounts/moderation.ts'
import { withdrawOfEvent } from '../notifications/mark-read.ts'
import { type Db, transact } from '../platform/database/database.ts'
import { succeed } from './members/ownership.ts'
import { ownedBy, ownerlessOf } from './members/ownership-store.ts'
import { lockEvent } from './store.ts'

/* An operator's decision about an account, and its effects on the account's events. */

/** Suspends an account; its events pass to other organizers. False if it was suspended already. */
export const suspend = (db: Db, userId: number): Promise<boolean> =>
  transact(db, async tx => {
    const changed = await accounts.suspend(tx, userId)
    for (const eventId of await ownedBy(tx, userId)) {
      if (!(await lockEvent(tx, eventId)) || (await succeed(tx, eventId))) continue
      // Nobody takes care of it: it is not listed as long as that lasts.
      await withdrawOfEvent(tx, eventId, { kinds: ['invitation'] })
    }
    return changed
  })

/**
 * Lifts the suspension. Events that this account organizes and whose owner is out of reach are its own from now on.
 * False if it was not suspended.
 */
export const unsuspend = (db: Db, userId: number): Promise<boolean> =>
  transact(db, async tx => {
    const changed = await accounts.unsuspend(tx, userId)
    for (const eventId of await ownerlessOf(tx, userId)) if (await lockEvent(tx, eventId)) await succeed(tx, eventId)
    return changed
  })
