import { can } from '@afterglow/contract/capabilities'
import { joinMode, visibility } from '@afterglow/contract/events/event'
import { announce, announceSoon, type Change } from '../../log/announce.ts'
import { withdrawOfEvent, withdrawRequest } from '../../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventToChange, requireCapability, requirePlanned } from '../access.ts'
import { audit } from '../audit/audit.ts'
import type { EventRow } from '../store.ts'
import { endInvitations, type InvitationEnd, invitedToOrganize } from './invitations-store.ts'
import * as requests from './join-requests-store.ts'
import * as members from './members-store.ts'

/**
 * Adds people to the event, however they joined: grants their join requests and accepts their invitations. Expects the
 * event to be locked. Returns those who were not in it before.
 */
export const admit = async (
  tx: Transaction,
  by: Viewer,
  eventId: number,
  ids: readonly number[],
  linkId: number | null = null,
) => {
  const joined = await addGuests(tx, eventId, ids, linkId)
  for (const { user_id: userId, invited_by: id } of await invitedToOrganize(tx, eventId, joined)) {
    await members.giveRole(tx, eventId, userId, 'organizer')
    await audit(tx, { id }, { act: 'organizer.made', eventId, subjectId: userId, userId })
  }
  await answerRequests(tx, eventId, ids, { status: 'approved', by: by.id })
  await closeInvitations(tx, eventId, ids, 'accepted')
  await announceJoined(tx, by.id, eventId, joined)
  return joined
}

/** As `admit`, somebody whose account is new: nobody can have invited them, nor they have asked. */
export const admitNewAccount = async (tx: Transaction, userId: number, eventId: number, linkId: number) =>
  announceJoined(tx, userId, eventId, await addGuests(tx, eventId, [userId], linkId))

const addGuests = async (tx: Transaction, eventId: number, ids: readonly number[], linkId: number | null) => {
  const joined = await members.addGuests(tx, eventId, ids, linkId)
  await members.addToGuestsCount(tx, eventId, joined.length)
  return joined
}

/** When a party comes, everybody there is told of everybody: together, or that would cost more than all else they do. */
const announceJoined = (tx: Transaction, by: number, eventId: number, joined: readonly number[]) =>
  announceSoon(
    tx,
    joined.flatMap((userId): Change[] => [
      { kind: 'guest.joined', audience: 'event', eventId, actorId: by, subjectId: userId },
      // Reload: their role and permissions in the event have changed.
      { kind: 'event.updated', audience: 'user', eventId, userId, actorId: by, subjectId: eventId },
    ]),
  )

/**
 * Answers the open requests of these people, notifies them and the organizers, and withdraws the organizers'
 * notifications about the requests.
 */
export const answerRequests = async (
  tx: Transaction,
  eventId: number,
  ids: readonly number[],
  answer: requests.JoinAnswer,
) => {
  const asked = await requests.answerJoinRequests(tx, eventId, ids, answer)
  if (asked.length === 0) return asked
  await withdrawRequest(tx, { kind: 'join_request', eventId, actorIds: asked })
  const { status, by } = answer
  await announce(
    tx,
    asked.flatMap((userId): Change[] => {
      const answered = { kind: `join.${status}`, eventId, actorId: by, subjectId: userId } as const
      return [
        { ...answered, audience: 'organizers' },
        { ...answered, audience: 'user', userId, ...(status !== 'withdrawn' && { notify: true }) },
      ]
    }),
  )
  return asked
}

/** Ends the pending invitations of these people, and withdraws the notifications about them. */
export const closeInvitations = async (
  tx: Transaction,
  eventId: number,
  ids: readonly number[],
  status: InvitationEnd,
) => {
  await endInvitations(tx, eventId, ids, status)
  await withdrawOfEvent(tx, eventId, { userIds: ids, kinds: ['invitation'] })
}

/**
 * An invitation admits to every planned event; an open event admits everybody who sees it, except those removed by an
 * organizer, and those who see it by a link for adding photos alone: what that link keeps from them, nobody gets by asking.
 */
const entersAtOnce = async (tx: Transaction, viewer: Viewer, event: EventRow) =>
  event.standing === 'invited' ||
  (event.join_mode === joinMode.open &&
    (!can(event.standing, 'see') || (event.visibility === visibility.public && event.listed)) &&
    !(await members.wasRemoved(tx, event.id, viewer.id)))

/** Per person, and per device, whose users may be new each time. */
export const rejoinsPerHour = 6
export const hourSeconds = 60 * 60

/** Coming and going is shown to everybody in the event: a few times an hour. Refuses with TooMany. */
export const requireRejoinAllowed = async (db: Db, limits: RateLimits, eventId: number, userId: number) => {
  if (await members.hasLeft(db, eventId, userId))
    await limits.spend('rejoin', `${eventId} ${userId}`, rejoinsPerHour, hourSeconds)
}

/** Joins if that needs nobody's approval, otherwise asks for it. Asking again has no effect, also once admitted. */
export const askToJoin = (db: Db, limits: RateLimits, viewer: Viewer, eventId: number): Promise<'joined' | 'pending'> =>
  transact(db, async tx => {
    const event = await eventToChange(tx, viewer, eventId)
    if (can(event.standing, 'manage')) refuse('alreadyIn')
    if (can(event.standing, 'read')) return 'joined'
    requirePlanned(event)
    if (await entersAtOnce(tx, viewer, event)) {
      await requireRejoinAllowed(tx, limits, eventId, viewer.id)
      await admit(tx, viewer, eventId, [viewer.id])
      return 'joined'
    }
    if (event.join_mode === joinMode.invitation && event.standing !== 'asked') refuse('invitationOnly')
    await addRequest(tx, eventId, viewer.id)
    return 'pending'
  })

/** Tells the organizers that somebody asks to join, unless they know. */
export const addRequest = async (tx: Transaction, eventId: number, userId: number) => {
  if (await requests.isAsking(tx, eventId, userId)) return false
  await requests.addJoinRequest(tx, eventId, userId)
  const asking = { actorId: userId, subjectId: userId }
  await announce(tx, { kind: 'join.requested', audience: 'organizers', eventId, ...asking, notify: true })
  return true
}

/** Withdrawing again has no effect, also if the event is not visible any more. */
export const withdrawJoinRequest = (db: Db, viewer: Viewer, eventId: number) => {
  const withdrawn = transact(db, async tx => {
    await eventToChange(tx, viewer, eventId)
    const asked = await answerRequests(tx, eventId, [viewer.id], { status: 'withdrawn', by: viewer.id })
    if (asked.length === 0) refuse('notAsked')
  })
  return orDone(withdrawn, ['notAsked', 'noSuchEvent'], () => requests.wasAnswered(db, eventId, viewer.id, 'withdrawn'))
}

export const approveJoinRequest = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  answer(db, viewer, eventId, userId, 'approved')

export const rejectJoinRequest = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  answer(db, viewer, eventId, userId, 'rejected')

/** The same answer again has no effect. */
const answer = (db: Db, viewer: Viewer, eventId: number, userId: number, status: 'approved' | 'rejected') => {
  const answered = transact(db, async tx => {
    requirePlanned(requireCapability(await eventToChange(tx, viewer, eventId), 'invite'))
    const asked = await answerRequests(tx, eventId, [userId], { status, by: viewer.id })
    if (asked.length === 0) refuse('notAsked')
    await audit(tx, viewer, { act: `request.${status}`, eventId, subjectId: userId, userId })
    if (status === 'approved') await admit(tx, viewer, eventId, [userId])
  })
  return orDone(answered, ['notAsked', 'cancelled'], () => requests.wasAnswered(db, eventId, userId, status))
}
