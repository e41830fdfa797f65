import { demandOrganizer, eventToChange } from '../events/access.ts'
import { audit } from '../events/audit.ts'
import { type Db, transact } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { allowEverybody, allowPerson } from './allowances-store.ts'

/** `most` null goes back to the number above: of one person to the event's, of the event to the instance's. */
type Allowed = { eventId: number; userId: number | undefined; most: number | null }

/**
 * Sets how many photos one person may add, or everybody without a number of their own. An upload holds the event, so it
 * is counted by the number before or after and by no other.
 */
export const allowPhotos = (db: Db, viewer: Viewer, { eventId, userId, most }: Allowed) =>
  transact(db, async tx => {
    demandOrganizer(await eventToChange(tx, viewer, eventId))
    if (userId === undefined) await allowEverybody(tx, eventId, most)
    else if (!(await allowPerson(tx, eventId, userId, most))) refuse('noSuchUser')
    await audit(
      tx,
      viewer,
      userId === undefined
        ? { act: 'photos.allowed', eventId, subjectId: eventId }
        : { act: 'guest.allowed', eventId, subjectId: userId, userId },
    )
  })
