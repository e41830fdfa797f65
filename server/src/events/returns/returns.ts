import { can } from '@afterglow/contract/capabilities'
import { storeReturnKey } from '../../accounts/returns/return-keys.ts'
import { type Db, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventFor, lockStanding } from '../access.ts'

/* How guests without a password come back as themselves. */

/** Keeps the key of the viewer's device. Refuses noSuchEvent, notInEvent, notGuest. */
export const makeReturnKey = (db: Db, viewer: Viewer, eventId: number, key: string) =>
  transact(db, async tx => {
    await eventFor(tx, viewer, eventId)
    // A removal either waits, and then ends the key, or is seen here.
    if (!can(await lockStanding(tx, viewer, eventId), 'read')) refuse('notInEvent')
    await storeReturnKey(tx, viewer, { eventId, key })
  })
