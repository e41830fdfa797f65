import { can } from '@afterglow/contract/capabilities'
import { requireProof } from '../../accounts/proofs.ts'
import { announce, type Change } from '../../log/announce.ts'
import { withdrawTagged } from '../../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventToChange, requireMember, requireOwner } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { tags } from '../notification-templates.ts'
import { isAdded } from '../returns/return-requests-store.ts'
import { type EventRow, lockEvent, readEvent } from '../store.ts'
import { findGuest } from './members-store.ts'
import * as store from './ownership-store.ts'

/* An event has one owner, who is in it and organizes it. Everything here expects or takes the event's lock. */

/**
 * The owner offers the event to somebody in it; that person, naming themselves, takes it. Each repeat has no effect.
 * Refuses notOwner, proveFirst, noSuchUser, notOffered.
 */
export const handOver = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    const event = requireMember(await eventToChange(tx, viewer, eventId))
    if (userId === viewer.id) await take(tx, viewer, event)
    else await offer(tx, viewer, event, userId)
    return (await findGuest(tx, eventId, userId)) ?? refuse('noSuchUser')
  })

const offer = async (tx: Transaction, viewer: Viewer, event: EventRow, userId: number) => {
  requireOwner(event)
  await requireProof(tx, viewer)
  if (!(await findGuest(tx, event.id, userId))) refuse('noSuchUser')
  if (await isAdded(tx, event.id, userId)) refuse('noDevice')
  if (event.offered_to === userId) return
  await withdrawOffer(tx, event)
  await store.offerTo(tx, event.id, userId)
  const about = { audience: 'user', eventId: event.id, userId, actorId: viewer.id, subjectId: event.id } as const
  await audit(tx, viewer, { act: 'owner.offered', eventId: event.id, subjectId: userId, userId })
  await announce(tx, [
    { ...about, kind: 'owner.offered', notify: true },
    ...seenAnew(viewer, event, [userId, viewer.id]),
  ])
}

const take = async (tx: Transaction, viewer: Viewer, event: EventRow) => {
  if (can(event.standing, 'own')) return
  if (event.offered_to !== viewer.id) refuse('notOffered')
  await pass(tx, viewer, event, viewer.id)
}

/** The owner takes the offer back, or the person it was made to declines it. Repeating it has no effect. */
export const endOffer = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    const event = requireMember(await eventToChange(tx, viewer, eventId))
    if (userId !== viewer.id) requireOwner(event)
    if (event.offered_to !== userId) return
    await withdrawOffer(tx, event)
    await store.offerTo(tx, eventId, null)
    await announce(tx, seenAnew(viewer, event, [userId, event.owner_id]))
  })

/** Leaving ends the offer. */
export const voidOffer = async (tx: Transaction, eventId: number, userId: number) => {
  const event = await readEvent(tx, userId, eventId)
  if (event?.offered_to !== userId) return
  await store.offerTo(tx, eventId, null)
  await announce(tx, seenAnew({ id: userId }, event, [event.owner_id]))
}

/** Nobody is offered an event by somebody from whom they are separated. */
export const endOffersBetween = async (tx: Transaction, one: number, other: number) => {
  for (const eventId of await store.offeredBetween(tx, one, other)) {
    await lockEvent(tx, eventId)
    const event = await readEvent(tx, one, eventId)
    if (!event?.offered_to || ![one, other].includes(event.offered_to)) continue
    await withdrawOffer(tx, event)
    await store.offerTo(tx, eventId, null)
    await announce(tx, seenAnew({ id: one }, event, [event.offered_to, event.owner_id]))
  }
}

/** Their view of the event has changed: the offer, and their capabilities. */
const seenAnew = (by: Pick<Viewer, 'id'>, { id: eventId }: EventRow, ids: readonly (number | null)[]): Change[] =>
  ids
    .filter(userId => userId !== null)
    .map(userId => ({ kind: 'event.updated', audience: 'user', eventId, userId, actorId: by.id, subjectId: eventId }))

const withdrawOffer = async (tx: Transaction, event: EventRow) => {
  if (event.offered_to !== null) await withdrawTagged(tx, event.id, [tags.offer(event.id)], 'takenBack')
}

/** The former owner stays as an organizer. */
const pass = async (tx: Transaction, by: Pick<Viewer, 'id'>, event: EventRow, userId: number) => {
  const { id: eventId, owner_id: former, chat_id: chatId } = event
  await withdrawOffer(tx, event)
  await store.passOwnership(tx, eventId, userId)
  await audit(tx, by, { act: 'owner.changed', eventId, subjectId: userId, userId })
  const about = { eventId, actorId: by.id } as const
  await announce(tx, [
    ...[former, userId]
      .filter(id => id !== null)
      .map(subjectId => ({ ...about, audience: 'event', kind: 'guest.updated', subjectId }) as const),
    { ...about, audience: 'event', kind: 'event.updated', subjectId: eventId, detail: { changed: [] } },
    { ...about, audience: 'user', userId, kind: 'group.updated', subjectId: chatId },
    { ...about, audience: 'organizers', kind: 'owner.changed', subjectId: userId, notify: true },
  ])
}

/** In the former owner's name: to the heir of an account that is suspended or erased. */
export const passTo = async (tx: Transaction, former: Pick<Viewer, 'id'>, eventId: number, heirId: number) => {
  const event = await readEvent(tx, former.id, eventId)
  if (event) await pass(tx, former, event, heirId)
}

/**
 * The owner's account is suspended: the organizer of longest standing becomes the owner. False if there is none, and
 * everything stays as it is.
 */
export const succeed = async (tx: Transaction, eventId: number) => {
  const owner = await store.ownerOf(tx, eventId)
  const heir = await store.nextOwner(tx, eventId)
  if (owner === undefined || heir === undefined) return false
  await passTo(tx, { id: owner }, eventId, heir)
  return true
}
