import { announce } from '../log/announce.ts'
import { withdrawTagged } from '../notifications/mark-read.ts'
import type { EventPart } from '../notifications/texts.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { KeptPicture } from '../platform/media/keep-picture.ts'
import { addMedia, removeMedia } from '../platform/media/records.ts'
import { demandPlanned, demandRight, eventFor, eventToChange, isPlanned } from './access.ts'
import { audit } from './audit/audit.ts'
import type { SavedEvent } from './event-parts.ts'
import { tags } from './notification-templates.ts'
import type { May } from './standing.ts'
import * as store from './store.ts'

type Details = Omit<store.EventDetails, 'avatarMediaId'>
type Saved = {
  details: Details
  avatar: KeptPicture | undefined
  /** Saves what other slices contribute to an event. */
  saveParts(tx: Transaction, saved: SavedEvent): Promise<void>
}

/** Creates an event with its group chat; the viewer becomes its organizer. */
export const createEvent = (db: Db, viewer: Viewer, { details, avatar, saveParts }: Saved) =>
  transact(db, async tx => {
    const avatarMediaId = avatar && (await addMedia(tx, avatar, { eventId: null, ownerId: viewer.id }))
    const id = await store.insertEvent(tx, viewer.id, { ...details, avatarMediaId })
    await saveParts(tx, { id, before: undefined })
    return eventFor(tx, viewer, id)
  })

/** Updates an event; without a new avatar it keeps the one it has. */
export const updateEvent = (db: Db, viewer: Viewer, id: number, { details, avatar, saveParts }: Saved) =>
  transact(db, async tx => {
    const before = demandPlanned(demandRight(await eventToChange(tx, viewer, id), 'manage'))
    const avatarMediaId = avatar && (await addMedia(tx, avatar, { eventId: null, ownerId: viewer.id }))
    await store.updateEvent(tx, before, { ...details, avatarMediaId })
    await saveParts(tx, { id, before })
    if (avatar && before.avatar_media_id) await removeMedia(tx, [before.avatar_media_id])
    const after = await eventFor(tx, viewer, id)
    const changed = changedParts(before, after)
    if (changed.includes('time')) await withdrawReminders(tx, id)
    await audit(tx, viewer, { act: 'event.changed', eventId: id, subjectId: id })
    const about = { audience: 'event', eventId: id, actorId: viewer.id } as const
    await announce(tx, [
      {
        ...about,
        kind: 'event.updated',
        subjectId: id,
        detail: { changed },
        ...(changed.length > 0 && { notify: true }),
      },
      { ...about, kind: 'group.updated', subjectId: after.chat_id },
    ])
    return after
  })

/** Whether the wall shows short messages. What is so already has no effect. */
export const setGreetings = async (
  tx: Transaction,
  viewer: Viewer,
  event: store.EventRow & May<'moderate'>,
  shown: boolean,
) => {
  if (event.greetings_on_wall === shown) return
  await store.setGreetings(tx, event, shown)
  await announce(tx, {
    kind: 'event.updated',
    audience: 'event',
    eventId: event.id,
    actorId: viewer.id,
    subjectId: event.id,
  })
}

/** Notifications about a start time that no longer applies. */
const withdrawReminders = (tx: Transaction, id: number) => withdrawTagged(tx, id, [tags.reminder(id)], 'gone')

/** Changes that guests are notified of. All other changes are silent. */
const changedParts = (before: store.EventRow, after: store.EventRow): EventPart[] => {
  const moved = (moment: 'starts_at' | 'ends_at') => before[moment]?.getTime() !== after[moment]?.getTime()
  return [
    ...(before.name !== after.name ? ['name' as const] : []),
    ...(moved('starts_at') || moved('ends_at') || before.timezone !== after.timezone ? ['time' as const] : []),
    ...(before.location !== after.location ? ['place' as const] : []),
  ]
}

/** Cancels an event. Its chat and gallery become read-only. Cancelling again has no effect. */
export const cancelEvent = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const event = demandRight(await eventToChange(tx, viewer, id), 'manage')
    if (!isPlanned(event)) return event
    await store.setCancelled(tx, event)
    await withdrawReminders(tx, id)
    await audit(tx, viewer, { act: 'event.cancelled', eventId: id, subjectId: id })
    const about = { audience: 'event', eventId: id, actorId: viewer.id } as const
    await announce(tx, [
      { ...about, kind: 'event.cancelled', subjectId: id, notify: true },
      { ...about, kind: 'group.updated', subjectId: event.chat_id },
    ])
    return eventFor(tx, viewer, id)
  })
