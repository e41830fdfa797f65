import { wallPhotosMax } from '@afterglow/contract/limits'
import { untouchedWall } from '@afterglow/contract/wall'
import { sentence } from '@afterglow/contract/words'
import { eventFor, eventToChange, requireCapability } from '../events/access.ts'
import { setGreetings } from '../events/events.ts'
import { requireMay } from '../events/standing.ts'
import { moderated, photoFor } from '../gallery/access.ts'
import { decideForWall, type WallMark } from '../gallery/moderation/decisions.ts'
import { announce } from '../log/announce.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import * as store from './store.ts'

export const untouched: store.WallState = { ...untouchedWall, shown_photo_id: null }

/** An event whose wall the viewer may look at. Refuses noSuchEvent, notInEvent. */
export const eventToShow = async (db: Db, viewer: Viewer, eventId: number) =>
  requireMay(await eventFor(db, viewer, eventId), 'album', 'notInEvent')

/** An absent field stays unchanged. */
export type WallChanges = { [Key in keyof store.WallState]?: NonNullable<store.WallState[Key]> | undefined } & {
  messages?: boolean | undefined
}

/**
 * Changes the wall's content; repeating a value has no effect. Refuses noSuchEvent, notOrganizer, noSuchPhoto,
 * notForWall.
 */
export const changeWall = (db: Db, viewer: Viewer, eventId: number, wish: WallChanges) =>
  transact(db, async tx => {
    const event = requireCapability(await eventToChange(tx, viewer, eventId), 'moderate')
    const before = (await store.readWall(tx, event.id)).state ?? untouched
    const shown = wish.shown_photo_id
    if (shown !== undefined) {
      await demandForWall(tx, event.id, shown)
      await store.unhide(tx, shown)
    }
    const after = turned(before, wish)
    if (wish.messages !== undefined) await setGreetings(tx, viewer, event, wish.messages)
    const keys = Object.keys(after) as (keyof store.WallState)[]
    const isSo = keys.every(key => after[key] === before[key])
    if (!isSo) await store.saveState(tx, event.id, after)
    if (!isSo || (wish.messages ?? event.greetings_on_wall) !== event.greetings_on_wall)
      await tell(tx, viewer, event.id)
  })

/** A turn already taken no longer names a photo. */
const turned = (before: store.WallState, wish: WallChanges): store.WallState => {
  const turn = wish.turn ?? before.turn + (wish.shown_photo_id === undefined ? 0 : 1)
  if (turn > before.turn + 1) return invalid('wall_turn', sentence.atMost(before.turn + 1))
  return {
    layout: wish.layout ?? before.layout,
    seconds: wish.seconds ?? before.seconds,
    photos: wish.photos ?? before.photos,
    paused: wish.paused ?? before.paused,
    turn: Math.max(turn, before.turn),
    shown_photo_id: turn > before.turn ? (wish.shown_photo_id ?? null) : before.shown_photo_id,
  }
}

const demandForWall = async (tx: Transaction, eventId: number, photoId: number) => {
  const photo = (await store.findPhoto(tx, eventId, photoId)) ?? refuse('noSuchPhoto')
  if (!photo.shows) refuse('notForWall')
}

/** Returns the event. The same mark again has no effect. Refuses noSuchPhoto, notInEvent, notOrganizer, notForWall. */
export const markForWall = (db: Db, viewer: Viewer, photoId: number, mark: WallMark) =>
  transact(db, async tx => {
    const { event_id: eventId } = moderated(await photoFor(tx, viewer, photoId))
    requireCapability(await eventToChange(tx, viewer, eventId), 'moderate')
    const decided = await decideForWall(tx, viewer, eventId, photoId, mark)
    if (mark === 'chosen') await demandForWall(tx, eventId, photoId)
    const isRefused = decided && mark === 'hidden'
    const marked = !isRefused && (await store.setMark(tx, { id: photoId, event_id: eventId }, mark))
    if (!decided && !marked) return eventId
    const isTooMany = mark !== 'none' && (await store.countMarks(tx, eventId, mark === 'hidden')) > wallPhotosMax
    if (isTooMany) invalid('wall_mark', sentence.countAtMost(wallPhotosMax))
    await tell(tx, viewer, eventId)
    return eventId
  })

/** Records which photos a screen says it shows, without announcing it. Refuses noSuchEvent, notOrganizer. */
export const sayShown = async (db: Db, viewer: Viewer, eventId: number, photoIds: readonly number[]) => {
  const event = requireMay(await eventFor(db, viewer, eventId), 'show', 'notOrganizer')
  await store.saveShown(db, eventId, untouched, photoIds)
  return event
}

const tell = (tx: Transaction, viewer: Viewer, eventId: number) =>
  announce(tx, { kind: 'wall.updated', audience: 'event', eventId, actorId: viewer.id, subjectId: eventId })
