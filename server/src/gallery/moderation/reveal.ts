import { revealDaysBeforeMax } from '@afterglow/contract/limits'
import { sentence } from '@afterglow/contract/words'
import { eventToChange, requireCapability } from '../../events/access.ts'
import type { MovedEvent, SavedEvent } from '../../events/event-parts.ts'
import { movedWith } from '../../events/local-time.ts'
import { announce, type ChangeKind } from '../../log/announce.ts'
import { type Database, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { messagesShowingAny } from '../duplicates/duplicates-store.ts'
import { announceMessages } from '../duplicates/one-photo.ts'
import { lockChatOf } from '../store.ts'
import * as store from './reveal-store.ts'
import { vanish } from './vanish.ts'

/*
 * An event's photos may be sealed until a reveal: until then they are hidden like photos that an organizer hides, so
 * the one rule of hidden content keeps them out of everything.
 */

const dayMs = 24 * 60 * 60_000

type RevealSettings = {
  shown: 'at_once' | 'later' | 'never' | undefined
  at: Date | undefined
  organizersSee: boolean | undefined
}

/** Saves when an event's photos are shown, in the transaction that locks it. A time in the past shows them now. */
export const saveReveal = (
  tx: Transaction,
  { id, starts_at: start }: SavedEvent,
  wish: RevealSettings,
): Promise<void> => {
  if (wish.at && start.getTime() - wish.at.getTime() > revealDaysBeforeMax * dayMs)
    invalid('event_reveals_at', sentence.daysBefore(revealDaysBeforeMax))
  return setReveal(tx, id, wish)
}

const setReveal = async (tx: Transaction, eventId: number, wish: RevealSettings): Promise<void> => {
  const { at, organizersSee: seen, shown = at && 'later' } = wish
  if (shown === undefined && seen === undefined) return
  await lockChatOf(tx, eventId)
  const before = await store.lockSeal(tx, eventId)
  const isOver = at !== undefined && at <= before.now
  if (at && shown && (shown === 'never' || (shown === 'at_once' && !isOver)))
    invalid('event_reveals_at', sentence.contradictsShown)
  if (shown === 'at_once' || (shown === 'later' && isOver)) return show(tx, before, isOver)
  if (!before.sealed_from && shown === undefined) return
  const kept = seen === undefined ? before.sealed_from : seen ? 'guests' : 'everybody'
  const sealedFrom = kept ?? 'everybody'
  const planned = before.sealed_from ? before.reveals_at : null
  const revealsAt =
    shown === 'never' ? null : (at ?? planned ?? (shown ? invalid('event_reveals_at', sentence.required) : null))
  await store.saveSeal(tx, { ...before, sealed_from: sealedFrom, reveals_at: revealsAt, revealed_at: null })
  if (before.sealed_from !== sealedFrom) await seal(tx, eventId, sealedFrom)
}

/** Shows the photos on an organizer's request; this cancels a planned reveal. Refuses noSuchEvent, notOrganizer. */
export const revealNow = (db: Db, viewer: Viewer, eventId: number) =>
  transact(db, async tx => {
    const { id } = requireCapability(await eventToChange(tx, viewer, eventId), 'manage')
    await setReveal(tx, id, { shown: 'at_once', at: undefined, organizersSee: undefined })
  })

const show = async (tx: Transaction, before: store.Seal, says: boolean) => {
  if (before.sealed_from) return reveal(tx, before)
  if (says) await store.saveSeal(tx, { ...before, revealed_at: before.now })
}

const seal = async (tx: Transaction, eventId: number, from: store.SealedFrom) => {
  const sealed = await store.sealPhotos(tx, eventId, from)
  await vanish(tx, eventId, sealed)
  await tellOf(
    tx,
    eventId,
    sealed.map(photo => photo.media_id),
  )
}

/** Shows the sealed photos, and tells everybody once. Expects the locks of the chat and of the gallery. */
const reveal = async (tx: Transaction, before: store.Seal) => {
  const { event_id: eventId } = before
  await store.saveSeal(tx, { ...before, sealed_from: null, revealed_at: before.now })
  const revealed = await store.unsealPhotos(tx, eventId)
  const about = await tellOf(
    tx,
    eventId,
    revealed.map(photo => photo.media_id),
  )
  await announce(tx, [about('event.updated', { changed: [] }), { ...about('photos.revealed'), notify: true }])
}

const tellOf = async (tx: Transaction, eventId: number, mediaIds: readonly number[]) => {
  const actorId = await store.ownerOf(tx, eventId)
  await announceMessages(tx, { eventId, actorId }, await messagesShowingAny(tx, eventId, mediaIds))
  return (kind: ChangeKind, detail?: object) =>
    ({ kind, audience: 'event', eventId, actorId, subjectId: eventId, ...(detail && { detail }) }) as const
}

/** Moves the reveal with its event. Photos that are shown stay so; in a repeated event they wait as they did. */
export const moveReveal = async (tx: Transaction, { from, to }: MovedEvent) => {
  const seal = (await store.sealsOf(tx, [from.id])).get(from.id)
  const isAgain = from.id !== to.id
  if (isAgain && seal && !seal.asks_for_photos) await store.saveAsking(tx, to.id, false)
  if (!seal || !(isAgain ? (seal.sealed_from ?? seal.reveals_at) : seal.sealed_from && seal.reveals_at)) return
  await store.lockSeal(tx, to.id)
  await store.saveSeal(tx, {
    ...seal,
    event_id: to.id,
    sealed_from: seal.sealed_from ?? 'everybody',
    reveals_at: seal.reveals_at && movedWith(from, to).moment(seal.reveals_at),
    revealed_at: null,
  })
}

/**
 * Shows the photos whose time has come, even if the service was down at the time. The gallery records it in the same
 * transaction, so it happens once, in any process.
 */
export const revealDue = (db: Database) => async (): Promise<void> => {
  for (const eventId of await store.dueReveals(db))
    await transact(db, async tx => {
      await lockChatOf(tx, eventId)
      const before = await store.lockSeal(tx, eventId)
      if (before.sealed_from && before.due) await reveal(tx, before)
    })
}
