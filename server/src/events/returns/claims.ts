import { makeErasureDue } from '../../accounts/account-deletion.ts'
import { announce } from '../../log/announce.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventToChange, requireMember } from '../access.ts'
import { audit } from '../audit/audit.ts'
import * as members from '../members/members-store.ts'
import { endMembership, settleRoles } from '../members/membership.ts'
import * as store from './return-requests-store.ts'

/*
 * An organizer added a person without a device. A newcomer of the same name comes in as that person, like a guest who
 * returns. A guest who has joined already claims to be that person, and takes over the answer that was entered.
 */

/** A person whom an organizer added to the event. */
export const isAdded = store.isAdded
/** The people whom this one may claim to be. */
export const addedNamesakes = store.addedNamesakes

/** Tells the organizers. Saying it again has no effect. Refuses noSuchEvent, notInEvent, noSuchUser. */
export const claimPerson = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    requireMember(await eventToChange(tx, viewer, eventId))
    if (await store.hasClaimed(tx, viewer.id, userId)) return
    if (!(await store.addedNamesakes(tx, eventId, viewer.id)).includes(userId)) refuse('noSuchUser')
    const { id: by, deviceRow } = viewer
    const subjectId = await store.insertClaim(tx, { eventId, userId, by, deviceRow, days: store.daysToAnswer })
    if (subjectId === undefined) return
    await announce(tx, { kind: 'return.asked', audience: 'organizers', eventId, actorId: by, subjectId, notify: true })
  })

/** Merges the added person into the guest who claimed to be them. Expects the event to be locked. Refuses noSuchUser. */
export const becomeOne = async (
  tx: Transaction,
  viewer: Viewer,
  { eventId, added, by }: { eventId: number; added: number; by: number },
) => {
  if (!(await store.isAdded(tx, eventId, added)) || !(await members.findGuest(tx, eventId, by))) refuse('noSuchUser')
  await members.claimAnswer(tx, eventId, { added, by })
  await members.endGuest(tx, eventId, added, { removed: false })
  await endMembership(tx, viewer, eventId, { userId: added, wasGuest: true })
  await settleRoles(tx, eventId, by)
  await audit(tx, viewer, { act: 'guest.claimed', eventId, subjectId: added, userId: by })
  await makeErasureDue(tx, added, { erasesContent: false })
}
