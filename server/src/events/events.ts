import { eventStatus } from '@afterglow/contract/events/event'
import { sentence } from '@afterglow/contract/words'
import { requireProof } from '../accounts/proofs.ts'
import { announce } from '../log/announce.ts'
import { withdrawTagged } from '../notifications/mark-read.ts'
import type { EventPart } from '../notifications/texts.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addMedia, removeMedia } from '../platform/media/records.ts'
import type { StoredPicture } from '../platform/media/store-picture.ts'
import { eventFor, eventToChange, isPlanned, requireCapability, requirePlanned } from './access.ts'
import { audit } from './audit/audit.ts'
import { cancelledLately } from './audit/audit-store.ts'
import type { MovedEvent, SavedEvent } from './event-parts.ts'
import { moveExpiries } from './links/links-store.ts'
import { aheadMs, beginAlike, endMoved } from './local-time.ts'
import { tags } from './notification-templates.ts'
import type { May } from './standing.ts'
import * as store from './store.ts'

type EventInput = {
  details: store.EventDetails
  /** `updated_at` of the event as it was read, if the caller says so. */
  seenAt: Date | undefined
  avatar: StoredPicture | undefined
  /** Saves what other slices contribute to an event. */
  saveParts(tx: Transaction, saved: SavedEvent): Promise<void>
  /** Moves what they know of it with its beginning. */
  moveParts(tx: Transaction, moved: MovedEvent): Promise<void>
}

const keepAvatar = (tx: Transaction, { id: ownerId }: Viewer, avatar: StoredPicture | undefined) =>
  avatar && addMedia(tx, avatar, { eventId: null, ownerId })

/** Creates an event with its group chat; the viewer becomes its organizer. */
export const createEvent = (db: Db, viewer: Viewer, { details, avatar, saveParts }: EventInput) =>
  transact(db, async tx => {
    const name = details.name ?? invalid('event_name', sentence.required)
    const starts_at = details.starts_at ?? invalid('event_starts_at', sentence.required)
    requireOrder(starts_at, details.ends_at)
    const avatar_media_id = await keepAvatar(tx, viewer, avatar)
    const id = await store.insertEvent(tx, viewer.id, { ...details, name, starts_at, avatar_media_id })
    await saveParts(tx, { id, starts_at })
    return eventFor(tx, viewer, id)
  })

/**
 * Changes what is given of an event, and moves everything that has a time with its beginning, unless it is given as well.
 * Without a new avatar it keeps the one it has. Refuses eventChanged.
 */
export const updateEvent = (db: Db, viewer: Viewer, id: number, { details, seenAt, avatar, ...parts }: EventInput) =>
  transact(db, async tx => {
    const before = requirePlanned(requireCapability(await eventToChange(tx, viewer, id), 'manage'))
    if (seenAt && seenAt < before.updated_at) refuse('eventChanged')
    const to = { id, starts_at: details.starts_at ?? before.starts_at, timezone: details.timezone ?? before.timezone }
    const ends_at = details.ends_at === undefined ? endMoved(before, to) : details.ends_at
    requireOrder(to.starts_at, ends_at)
    const avatar_media_id = await keepAvatar(tx, viewer, avatar)
    await store.updateEvent(tx, before, { ...details, ends_at, avatar_media_id })
    if (!beginAlike(before, to)) await parts.moveParts(tx, { from: before, to })
    await parts.saveParts(tx, to)
    if (avatar && before.avatar_media_id) await removeMedia(tx, [before.avatar_media_id])
    const after = await eventFor(tx, viewer, id)
    await moveExpiries(tx, before, after)
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

/** Sets whether the wall shows short messages. Repeating it has no effect. */
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

const requireOrder = (start: Date, end: Date | null | undefined) => {
  if (end && end <= start) invalid('event_ends_at', sentence.afterEventStart)
}

/** A moment as people see it: its minute, and the one on the clocks of the venue. */
const shownMoment = ({ timezone }: store.EventRow, at: Date | null) =>
  at && [0, aheadMs(timezone, at.getTime())].map(ahead => Math.floor((at.getTime() + ahead) / 60_000)).join()

/** Changes that guests are notified of: those that they see. All others are silent. */
const changedParts = (before: store.EventRow, after: store.EventRow): EventPart[] => {
  const times = (event: store.EventRow) => [event.starts_at, event.ends_at].map(at => shownMoment(event, at)).join()
  return [
    ...(before.name !== after.name ? ['name' as const] : []),
    ...(times(before) !== times(after) ? ['time' as const] : []),
    ...(before.location !== after.location ? ['place' as const] : []),
  ]
}

/** Its chat and gallery become read-only. Cancelling again has no effect. Refuses proveFirst. */
export const cancelEvent = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const event = requireCapability(await eventToChange(tx, viewer, id), 'manage')
    if (!isPlanned(event)) return event
    await requireProof(tx, viewer)
    await store.setStatus(tx, event, eventStatus.cancelled)
    await withdrawReminders(tx, id)
    await audit(tx, viewer, { act: 'event.cancelled', eventId: id, subjectId: id })
    const about = { audience: 'event', eventId: id, actorId: viewer.id } as const
    await announce(tx, [
      { ...about, kind: 'event.cancelled', subjectId: id, notify: true },
      { ...about, kind: 'group.updated', subjectId: event.chat_id },
    ])
    return eventFor(tx, viewer, id)
  })

/** It is as it was before, for thirty days. An event that is not cancelled stays as it is. Refuses tooLateToUncancel. */
export const uncancelEvent = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const event = requireCapability(await eventToChange(tx, viewer, id), 'manage')
    if (isPlanned(event)) return event
    if (!(await cancelledLately(tx, event))) refuse('tooLateToUncancel')
    await store.setStatus(tx, event, eventStatus.planned)
    await audit(tx, viewer, { act: 'event.uncancelled', eventId: id, subjectId: id })
    const about = { audience: 'event', eventId: id, actorId: viewer.id } as const
    await announce(tx, [
      { ...about, kind: 'event.updated', subjectId: id, detail: { changed: [] } },
      { ...about, kind: 'event.uncancelled', subjectId: id, notify: true },
      { ...about, kind: 'group.updated', subjectId: event.chat_id },
    ])
    return eventFor(tx, viewer, id)
  })
