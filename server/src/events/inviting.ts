import { sayOf } from '@afterglow/contract/sentences'
import { sentence } from '@afterglow/contract/words'
import { announce } from '../notifications/announcing.ts'
import { type Db, type Transaction, transact } from '../platform/database.ts'
import { Invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { demandOrganizer, demandPlanned, eventFor, eventToChange, lockStanding } from './access.ts'
import { audit } from './auditing.ts'
import * as invitations from './invitations-store.ts'
import { answerRequests, closeInvitations, letIn } from './joining.ts'
import { isInEvent } from './standing.ts'
import { lockEvent } from './store.ts'

/** Which of the others have blocked this user, or are blocked by them. Blocks belong to people, who stand to the right. */
export type BlockedWith = (db: Db, userId: number, others: readonly number[]) => Promise<ReadonlySet<number>>

type Inviting = { eventId: number; userIds: readonly number[]; blockedWith: BlockedWith }

/**
 * Invites people and lets those in who had asked already. Skips in silence who is in, has an open invitation, or is
 * blocked either way. Returns how many were invited or let in; unknown users make the whole request invalid.
 */
export const invite = (db: Db, viewer: Viewer, { eventId, userIds, blockedWith }: Inviting) =>
  transact(db, async tx => {
    demandPlanned(demandOrganizer(await eventToChange(tx, viewer, eventId)))
    await demandKnown(tx, userIds)
    await invitations.holdPeople(tx, [viewer.id, ...userIds])
    const blocked = await blockedWith(tx, viewer.id, userIds)
    const ids = [...new Set(userIds)].filter(id => !blocked.has(id)).sort((a, b) => a - b)
    const asked = await answerRequests(tx, eventId, ids, { status: 'approved', by: viewer.id })
    const joined = asked.length ? await letIn(tx, viewer, eventId, asked) : []
    const invited = await invitations.addInvitations(tx, { eventId, by: viewer.id, ids })
    await audit(tx, viewer, [
      ...joined.map(userId => ({ act: 'request.approved', eventId, subjectId: userId, userId }) as const),
      ...invited.map(userId => ({ act: 'user.invited', eventId, subjectId: userId, userId }) as const),
    ])
    await announce(
      tx,
      invited.map(userId => ({
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

const demandKnown = async (tx: Transaction, userIds: readonly number[]) => {
  const unknown = await invitations.unknownUsers(tx, userIds)
  if (unknown.size === 0) return
  const fields = userIds.flatMap((id, at) => (unknown.has(id) ? [`user_ids.${at}`] : []))
  throw new Invalid(Object.fromEntries(fields.map(field => [field, [sayOf(sentence.selected, field)]])))
}

/** Makes the viewer a guest and returns the event. Accepting again, while in the event, changes nothing. */
export const acceptInvitation = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId, status } = await invitationToAnswer(tx, viewer, id)
    const again = status === 'accepted' && isInEvent(await lockStanding(tx, viewer, eventId))
    if (status !== 'open' && !again) refuse('noSuchInvitation')
    const event = await eventFor(tx, viewer, eventId)
    if (again) return event
    demandPlanned(event)
    await letIn(tx, viewer, eventId, [viewer.id])
    return eventFor(tx, viewer, eventId)
  })

/** Declining again changes nothing. */
export const declineInvitation = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId, status } = await invitationToAnswer(tx, viewer, id)
    if (status !== 'open' && status !== 'declined') refuse('noSuchInvitation')
    await closeInvitations(tx, eventId, [viewer.id], 'declined')
  })

/** For two people of whom one blocks the other: neither goes on inviting the other. */
export const endInvitationsBetween = async (tx: Transaction, one: number, other: number) => {
  for (const { event_id: eventId, user_id: userId } of await invitations.openBetween(tx, one, other)) {
    await lockEvent(tx, eventId)
    await closeInvitations(tx, eventId, [userId], 'withdrawn')
  }
}

/** The door to an invitation: the viewer's own, read again after the wait for its event. */
const invitationToAnswer = async (tx: Transaction, viewer: Viewer, id: number) => {
  const found = (await invitations.findInvitation(tx, viewer.id, id)) ?? refuse('noSuchInvitation')
  await lockEvent(tx, found.event_id)
  return (await invitations.findInvitation(tx, viewer.id, id)) ?? refuse('noSuchInvitation')
}
