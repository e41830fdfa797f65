import { requireProof } from '../../accounts/proofs.ts'
import { announce, type Change } from '../../log/announce.ts'
import { withdrawOfEvent, withdrawTagged } from '../../notifications/mark-read.ts'
import { type Database, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import { removeMedia, restoreMedia } from '../../platform/media/records.ts'
import { eventFor, eventToChange, requireOwner } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { idsOfMembers } from '../members/members-store.ts'
import { offerTo } from '../members/ownership-store.ts'
import { tags } from '../notification-templates.ts'
import * as store from './deletion-store.ts'

/* A deleted event answers like one that never existed. For thirty days its owner brings it back; then it is erased. */

/** Null: the operator's act. */
type DeletionActor = Pick<Viewer, 'id'> | null

/** Deleting again has no effect, while the owner can restore it. Refuses notOwner, proveFirst. */
export const deleteEvent = (db: Db, viewer: Viewer, id: number) => {
  const removed = transact(db, async tx => {
    requireOwner(await eventToChange(tx, viewer, id))
    await requireProof(tx, viewer)
    await removeEvent(tx, viewer, id)
  })
  return orDone(removed, ['noSuchEvent'], () =>
    transact(db, async tx => isRestorableBy(viewer, await store.deletedToChange(tx, id))),
  )
}

const isRestorableBy = (viewer: Viewer, deleted: store.DeletedEvent | undefined) =>
  deleted !== undefined && deleted.owner_id === viewer.id && deleted.barred !== 'deleted' && deleted.in_time

/** Nobody can reach it, its chat, its gallery or any of its files any more. Expects the event's lock. */
export const removeEvent = async (tx: Transaction, by: DeletionActor, id: number) => {
  // Each by name, because the members of a deleted event can no longer be queried.
  const members = await idsOfMembers(tx, id)
  await offerTo(tx, id, null)
  const { avatar_media_id: avatar } = await store.setDeleted(tx, id)
  if (by) await audit(tx, by, { act: 'event.deleted', eventId: id, subjectId: id })
  await withdrawOfEvent(tx, id)
  const about = { audience: 'user', eventId: id, actorId: by?.id ?? 0, subjectId: id } as const
  await announce(
    tx,
    members.map((userId): Change => ({ ...about, kind: 'event.deleted', userId, notify: true })),
  )
  if (avatar) await removeMedia(tx, [avatar])
  // The gallery's.
  await addJob(tx, 'endUploads', { eventId: id })
}

/** Restoring an event that is not deleted has no effect. Refuses noSuchEvent to everybody but its owner, and too late. */
export const restoreEvent = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const deleted = await store.deletedToChange(tx, id)
    if (!deleted) return requireOwner(await eventFor(tx, viewer, id))
    if (!isRestorableBy(viewer, deleted)) refuse('noSuchEvent')
    await bringBack(tx, viewer, deleted)
    return eventFor(tx, viewer, id)
  })

/** Expects the lock of the deleted event. */
export const bringBack = async (
  tx: Transaction,
  by: DeletionActor,
  { id, chat_id, avatar_media_id }: store.DeletedEvent,
) => {
  await store.setRestored(tx, id)
  if (avatar_media_id) await restoreMedia(tx, avatar_media_id)
  if (by) await audit(tx, by, { act: 'event.restored', eventId: id, subjectId: id })
  await withdrawTagged(tx, id, [tags.deleted(id)], 'gone')
  const about = { audience: 'event', eventId: id, actorId: by?.id ?? 0 } as const
  await announce(tx, [
    { ...about, kind: 'event.updated', subjectId: id, detail: { changed: [] } },
    { ...about, kind: 'group.updated', subjectId: chat_id },
    { ...about, kind: 'event.restored', subjectId: id, notify: true },
  ])
}

export type EraseEvent = (db: Database, eventId: number) => Promise<unknown>

/** A job: whatever a crash leaves half done, the next run finishes. */
export const eraseDueEvents = async (db: Database, erasures: readonly EraseEvent[]): Promise<void> => {
  for (const id of await store.dueEvents(db)) {
    for (const erase of erasures) await erase(db, id)
    await store.markErased(db, id)
  }
}
