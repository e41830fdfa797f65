import { can, ordinary, type RoleOfPeople, shownRoleOf } from '@afterglow/contract/capabilities'
import { requireProof } from '../../accounts/proofs.ts'
import { endReturnKeysOf } from '../../accounts/returns/return-keys.ts'
import { endLinksOf } from '../../accounts/sessions/sessions.ts'
import { announce } from '../../log/announce.ts'
import { withdrawOfEvent } from '../../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventToChange, mayLeave, requireCapability } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { endLinksOfAll } from '../links/ended-links.ts'
import { isAdded } from '../returns/return-requests-store.ts'
import { type Manageable, requireMay } from '../standing.ts'
import type { EventRow } from '../store.ts'
import { answerRequests, closeInvitations } from './join.ts'
import * as members from './members-store.ts'
import { voidOffer } from './ownership.ts'

/**
 * Removes a guest. Every media URL of the event is invalidated: they may hold those of others. Removing somebody again has no effect.
 */
export const removeGuest = (db: Db, viewer: Viewer, eventId: number, userId: number) => {
  const removed = transact(db, async tx => {
    requireCapability(await eventToChange(tx, viewer, eventId), 'manage')
    const guest = await members.findGuest(tx, eventId, userId)
    if (guest && can(guest.role, 'manage')) refuse('organizerStays')
    if (!(await members.endGuest(tx, eventId, userId, { removed: true }))) refuse('noSuchUser')
    await audit(tx, viewer, { act: 'guest.removed', eventId, subjectId: userId, userId })
    await endReturnKeysOf(tx, userId, eventId)
    await members.takeMarksAway(tx, eventId, [userId])
    await endMembership(tx, viewer, eventId, { userId, wasGuest: guest !== undefined })
    await endLinksOfAll(tx, eventId)
  })
  return orDone(removed, ['noSuchUser'], () => members.wasRemoved(db, eventId, userId))
}

/** For a day, as if they had stayed. Somebody who is in the event stays as they are. Refuses noSuchUser, notBroughtBack. */
export const bringGuestBack = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    requireCapability(await eventToChange(tx, viewer, eventId), 'manage')
    if (await members.findGuest(tx, eventId, userId)) return
    const isGuest = await members.bringBack(tx, eventId, userId)
    if (isGuest === undefined)
      return refuse((await members.everIn(tx, eventId, [userId])).has(userId) ? 'notBroughtBack' : 'noSuchUser')
    await members.bringBackWhatWasTheirs(tx, eventId, [userId])
    await withdrawOfEvent(tx, eventId, { userIds: [userId], kinds: ['guest_removed'] })
    await settleRoles(tx, eventId, userId)
    await audit(tx, viewer, { act: 'guest.brought_back', eventId, subjectId: userId, userId })
    const about = { eventId, actorId: viewer.id } as const
    await announce(tx, [
      ...(isGuest ? [{ ...about, kind: 'guest.joined', audience: 'event', subjectId: userId } as const] : []),
      { ...about, kind: 'event.updated', audience: 'user', userId, subjectId: eventId, detail: { changed: [] } },
    ])
  })

/** Leaving again has no effect, also if the event is not visible any more. */
export const leaveEvent = (db: Db, viewer: Viewer, eventId: number) => {
  const left = transact(db, async tx => {
    const event = requireMay(await eventToChange(tx, viewer, eventId), 'upload', 'notInEvent')
    if (!mayLeave(event)) refuse(event.no_other_organizer ? 'lastOrganizer' : 'ownerStays')
    await members.endGuest(tx, eventId, viewer.id, { removed: false })
    await endMembership(tx, viewer, eventId, { userId: viewer.id, wasGuest: can(event.standing, 'read') })
  })
  return orDone(left, ['notInEvent', 'noSuchEvent'], () => members.hasLeft(db, eventId, viewer.id))
}

/**
 * No request, invitation or notification outlives the membership. The others are told if they saw a guest, and so is the
 * person removed.
 */
export const endMembership = async (
  tx: Transaction,
  by: Viewer,
  eventId: number,
  { userId, wasGuest }: { userId: number; wasGuest: boolean },
) => {
  await answerRequests(tx, eventId, [userId], { status: 'withdrawn', by: by.id })
  await closeInvitations(tx, eventId, [userId], 'withdrawn')
  await voidOffer(tx, eventId, userId)
  await withdrawOfEvent(tx, eventId, { userIds: [userId] })
  const left = { kind: 'guest.left', eventId, actorId: by.id, subjectId: userId } as const
  const detail = { removed: userId !== by.id }
  await announce(tx, [
    ...(wasGuest ? [{ ...left, audience: 'event', detail } as const] : []),
    { ...left, audience: 'user', userId, detail, ...(detail.removed && { notify: true }) },
  ])
}

export const makeOrganizer = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    const event = requireCapability(await eventToChange(tx, viewer, eventId), 'manage')
    await requireProof(tx, viewer)
    if (await isAdded(tx, eventId, userId)) refuse('noDevice')
    await withdrawOfEvent(tx, eventId, { userIds: [userId], kinds: ['organizer_unmade'] })
    return setRole(tx, viewer, event, userId, 'organizer')
  })

/** Makes an organizer a guest again; nobody does that to the owner. Repeating it has no effect, also for oneself. */
export const unmakeOrganizer = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    const found = await eventToChange(tx, viewer, eventId)
    if (userId === viewer.id && shownRoleOf(found.standing) === ordinary)
      return (await members.findGuest(tx, eventId, userId)) ?? refuse('noSuchUser')
    const event = requireCapability(found, 'manage')
    await requireProof(tx, viewer)
    if (userId === event.owner_id) refuse(event.no_other_organizer ? 'lastOrganizer' : 'ownerStays')
    await withdrawOfEvent(tx, eventId, { userIds: [userId], kinds: ['join_request', 'report'] })
    return setRole(tx, viewer, event, userId, ordinary)
  })

export const isMember = async (db: Db, eventId: number, userId: number) =>
  (await members.findGuest(db, eventId, userId)) !== undefined

/** After an answer, or for all guests: what they are in the event follows from it, and they are told what they may do. */
export const settleRoles = async (tx: Transaction, eventId: number, userId?: number) => {
  const settled = await members.settleRoles(tx, eventId, userId)
  const about = {
    kind: 'event.updated',
    audience: 'user',
    eventId,
    subjectId: eventId,
    detail: { changed: [] },
  } as const
  await announce(
    tx,
    settled.map(id => ({ ...about, userId: id, actorId: id })),
  )
}

/** The event is announced as well: what its organizers may do depends on how many there are. */
const setRole = async (
  tx: Transaction,
  by: Viewer,
  event: EventRow & Manageable,
  userId: number,
  role: Exclude<RoleOfPeople, 'owner'>,
) => {
  const { id: eventId, chat_id: chatId } = event
  const before = (await members.findGuest(tx, eventId, userId)) ?? refuse('noSuchUser')
  // Repeats are no mistakes, and the owner is an organizer already.
  if (shownRoleOf(before.role) === role) return before
  const guest = (await members.setRole(tx, event, userId, role)) ?? refuse('noSuchUser')
  // To what is hidden, waits or is sealed, and to what cameras write.
  if (!can(role, 'manage')) await endLinksOf(tx, userId)
  const act = can(role, 'manage') ? 'organizer.made' : 'organizer.unmade'
  await audit(tx, by, { act, eventId, subjectId: userId, userId })
  const about = { audience: 'event', eventId, actorId: by.id } as const
  await announce(tx, [
    { ...about, kind: 'guest.updated', subjectId: userId, ...(act === 'organizer.unmade' && { notify: true }) },
    { ...about, kind: 'event.updated', subjectId: eventId, detail: { changed: [] } },
    // Their permissions in the chat have changed.
    { kind: 'group.updated', audience: 'user', eventId, userId, actorId: by.id, subjectId: chatId },
  ])
  return guest
}
