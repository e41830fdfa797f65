import { announce } from '../../log/announce.ts'
import { withdrawOfEvent } from '../../notifications/mark-read.ts'
import { type Db, transact } from '../../platform/database/database.ts'
import { bringBack, removeEvent } from '../deletion/deletion.ts'
import { deletedToChange } from '../deletion/deletion-store.ts'
import { lockEvent } from '../store.ts'
import { setBarred } from './operators-store.ts'

/* The operator's acts on events. Each returns false if there was nothing to do. */

export { findEvent, listEvents } from './operators-store.ts'

/** People who are not in it see nothing of it any more, and nobody comes in; its organizers are told. */
export const unlistEvent = (db: Db, id: number): Promise<boolean> =>
  transact(db, async tx => {
    if (!(await lockEvent(tx, id)) || !(await setBarred(tx, id, 'unlisted'))) return false
    await withdrawOfEvent(tx, id, { kinds: ['invitation'] })
    await notifyOrganizers(tx, id, 'event.unlisted')
    return true
  })

/** Undoes either decision; an event that its owner deleted is restored as well. False where it is too late. */
export const restoreEvent = (db: Db, id: number): Promise<boolean> =>
  transact(db, async tx => {
    const deleted = await deletedToChange(tx, id)
    if (deleted) {
      if (!deleted.in_time) return false
      await bringBack(tx, null, deleted)
      return true
    }
    if (!(await setBarred(tx, id, null))) return false
    await notifyOrganizers(tx, id, 'event.listed')
    return true
  })

/** Everybody in it is told; only the operator restores it, for thirty days. */
export const deleteEvent = (db: Db, id: number): Promise<boolean> =>
  transact(db, async tx => {
    if (!(await lockEvent(tx, id))) return false
    await setBarred(tx, id, 'deleted')
    await removeEvent(tx, null, id)
    return true
  })

const notifyOrganizers = (tx: Parameters<typeof announce>[0], id: number, kind: 'event.unlisted' | 'event.listed') =>
  announce(tx, [
    { kind, audience: 'organizers', eventId: id, actorId: 0, subjectId: id, notify: true },
    { kind: 'event.updated', audience: 'event', eventId: id, actorId: 0, subjectId: id, detail: { changed: [] } },
  ])
