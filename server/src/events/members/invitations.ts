import { can } from '@afterglow/contract/capabilities'
import { messageFor } from '@afterglow/contract/sentences'
import { sentence } from '@afterglow/contract/words'
import { announce } from '../../log/announce.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { Invalid, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventFor, eventToChange, lockStanding, requireCapability, requireListed, requirePlanned } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { invitedBefore, invitedLately } from '../audit/audit-store.ts'
import { lockEvent } from '../store.ts'
import * as invitations from './invitations-store.ts'
import { admit, answerRequests, closeInvitations } from './join.ts'
import { inOrAsking } from './members-store.ts'

/** How people relate to each other, provided by the slice `people`, which stands to the right. */
export type Acquaintance = {
  /** The IDs that the viewer may find; `blocked`: the viewer blocks them, `blocks_you`: they do. */
  findableOf(
    db: Db,
    viewer: Viewer,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, { blocked: boolean; blocks_you: boolean }>>
  /**
   * The IDs of people who are friends of the viewer, have sent them a friend request, or have ever shared an event with
   * them.
   */
  acquaintancesAmong(db: Db, viewer: Viewer, ids: readonly number[]): Promise<ReadonlySet<number>>
}

type InvitationRequest = {
  eventId: number
  userIds: readonly number[]
  /** Invited people who become organizers by accepting. */
  organizers?: readonly number[]
  acquaintance: Acquaintance
  strangersPerDay: number
}

/**
 * Invites people, and admits those who had already asked. Silently skips people who are in the event, have a pending
 * invitation, or are blocked by the viewer. Returns how many were invited or admitted. If the viewer may not find one
 * of them, the whole request is invalid, just as for a nonexistent user, so that neither the answer nor the count
 * reveals who blocks whom. Of people in a shared event who block the viewer, the answer and the log are as of anybody;
 * they hear nothing of it.
 */
export const invite = (db: Db, viewer: Viewer, { eventId, userIds, organizers = [], ...limits }: InvitationRequest) =>
  transact(db, async tx => {
    const { acquaintance } = limits
    requireListed(requirePlanned(requireCapability(await eventToChange(tx, viewer, eventId), 'invite')))
    await invitations.holdPeople(tx, [viewer.id, ...userIds])
    const present = await inOrAsking(tx, eventId, userIds)
    const findable = await acquaintance.findableOf(tx, viewer, userIds)
    requireAllInvitable(userIds, id => present.has(id) || findable.has(id))
    const ids = [...new Set(userIds)].filter(id => !findable.get(id)?.blocked).sort((a, b) => a - b)
    const asked = await answerRequests(tx, eventId, ids, { status: 'approved', by: viewer.id })
    const joined = asked.length ? await admit(tx, viewer, eventId, asked) : []
    const hears = ids.filter(id => !findable.get(id)?.blocks_you)
    const heard = await invitations.addInvitations(tx, { eventId, by: viewer.id, ids: hears, organizers })
    const deaf = ids.filter(id => findable.get(id)?.blocks_you && !present.has(id))
    const before = await invitedBefore(tx, eventId, deaf)
    const invited = [...heard, ...deaf.filter(id => !before.has(id))]
    await requireFewStrangers(tx, viewer, invited, limits)
    await audit(tx, viewer, [
      ...joined.map(userId => ({ act: 'request.approved', eventId, subjectId: userId, userId }) as const),
      ...invited.map(userId => ({ act: 'user.invited', eventId, subjectId: userId, userId }) as const),
    ])
    await announce(
      tx,
      heard.map(userId => ({
        kind: 'invitation.opened',
        audience: 'user',
        eventId,
        userId,
        actorId: viewer.id,
        subjectId: eventId,
        notify: true,
      })),
    )
    return joined.length + invited.length
  })

const requireAllInvitable = (userIds: readonly number[], isThere: (id: number) => boolean) => {
  const fields = userIds.flatMap((id, at) => (isThere(id) ? [] : [`user_ids.${at}`]))
  if (fields.length === 0) return
  throw new Invalid(Object.fromEntries(fields.map(field => [field, [messageFor(sentence.selected, field)]])))
}

/**
 * An invitation rings its recipient, so one person may send strangers only a few a day, across all events. People who
 * have joined since are no longer strangers. Expects the viewer to be locked: concurrent requests share one budget.
 */
const requireFewStrangers = async (
  tx: Transaction,
  viewer: Viewer,
  invited: readonly number[],
  { acquaintance, strangersPerDay }: Pick<InvitationRequest, 'acquaintance' | 'strangersPerDay'>,
) => {
  if (invited.length === 0) return
  const before = await invitedLately(tx, viewer.id)
  const circle = await acquaintance.acquaintancesAmong(tx, viewer, [...new Set([...before, ...invited])])
  const strangers = (ids: readonly number[]) => ids.filter(id => !circle.has(id)).length
  const now = strangers(invited)
  if (now > 0 && strangers(before) + now > strangersPerDay) refuse('tooManyStrangers')
}

/** Makes the viewer a guest and returns the event. Accepting again while in the event has no effect. */
export const acceptInvitation = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId, status } = await invitationToAnswer(tx, viewer, id)
    const again = status === 'accepted' && can(await lockStanding(tx, viewer, eventId), 'read')
    if (status !== 'open' && !again) refuse('noSuchInvitation')
    const event = await eventFor(tx, viewer, eventId)
    if (again) return event
    requirePlanned(event)
    await admit(tx, viewer, eventId, [viewer.id])
    return eventFor(tx, viewer, eventId)
  })

/** Declining again has no effect. */
export const declineInvitation = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId, status } = await invitationToAnswer(tx, viewer, id)
    if (status !== 'open' && status !== 'declined') refuse('noSuchInvitation')
    await closeInvitations(tx, eventId, [viewer.id], 'declined')
  })

/** Withdraws invitations between two people when one blocks the other. */
export const endInvitationsBetween = async (tx: Transaction, one: number, other: number) => {
  for (const { event_id: eventId, user_id: userId } of await invitations.openBetween(tx, one, other)) {
    await lockEvent(tx, eventId)
    await closeInvitations(tx, eventId, [userId], 'withdrawn')
  }
}

/** The door to an invitation: the viewer's own, read again after waiting for its event's lock. */
const invitationToAnswer = async (tx: Transaction, viewer: Viewer, id: number) => {
  const found = (await invitations.findInvitation(tx, viewer.id, id)) ?? refuse('noSuchInvitation')
  await lockEvent(tx, found.event_id)
  return (await invitations.findInvitation(tx, viewer.id, id)) ?? refuse('noSuchInvitation')
}
