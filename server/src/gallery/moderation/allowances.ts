import { eventToChange, requireCapability } from '../../events/access.ts'
import { audit } from '../../events/audit/audit.ts'
import { type Db, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { allowEverybody, allowPerson } from './allowances-store.ts'

/**
 * `most` null falls back to the next limit: from a person's to the event's, from the event's to the instance's.
 * Undefined leaves it unchanged.
 */
type Allowed = {
  eventId: number
  userId: number | undefined
  most: number | null | undefined
  trusted: boolean | undefined
}

/**
 * Limits one person's photos and decides whether they wait, or limits everybody without a limit of their own. An upload
 * locks the event, so it is judged by the limit before or after, and no other.
 */
export const allowPhotos = (db: Db, viewer: Viewer, { eventId, userId, most, trusted }: Allowed) =>
  transact(db, async tx => {
    const event = requireCapability(await eventToChange(tx, viewer, eventId), 'manage')
    if (userId === undefined) await allowEverybody(tx, event, most ?? null)
    else if (!(await allowPerson(tx, event, userId, { most, trusted }))) refuse('noSuchUser')
    await audit(
      tx,
      viewer,
      userId === undefined
        ? { act: 'photos.allowed', eventId, subjectId: eventId }
        : { act: 'guest.allowed', eventId, subjectId: userId, userId },
    )
  })
