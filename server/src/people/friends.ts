import { endInvitationsBetween } from '../events/members/invitations.ts'
import { endOffersBetween } from '../events/members/ownership.ts'
import { announce } from '../log/announce.ts'
import { withdrawBetween, withdrawRequest } from '../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { friendStatusOf, mayBefriend, mayBlock, mayUnfriend, personForAct } from './access.ts'
import * as store from './store.ts'

/**
 * Sends a friend request; if the other person has already sent one, they become friends. Repeating it has no effect.
 */
export const befriend = (db: Db, viewer: Viewer, userId: number) =>
  transact(db, async tx => {
    if (userId === viewer.id) refuse('oneself')
    const person = await personForAct(tx, viewer, userId, mayBefriend)
    if (person.friend) return friendStatusOf(person)
    if (!person.asks_you) {
      const asking = { userId, actorId: viewer.id, subjectId: viewer.id }
      if (await store.addRequest(tx, viewer.id, userId))
        await announce(tx, { kind: 'friend.requested', audience: 'user', ...asking, notify: true })
      return 'asked'
    }
    await endRequests(tx, viewer.id, userId)
    await store.addFriendship(tx, viewer.id, userId)
    return 'friends'
  })

/** Ends the friendship and any requests, from either side. */
export const unfriend = (db: Db, viewer: Viewer, userId: number) =>
  transact(db, async tx => {
    await personForAct(tx, viewer, userId, mayUnfriend)
    await endRequests(tx, viewer.id, userId)
    await store.removeFriendship(tx, viewer.id, userId)
    return 'none' as const
  })

/** Withdraws the requests between the two, and the notifications about them. */
const endRequests = async (tx: Transaction, oneId: number, otherId: number) => {
  await store.removeRequests(tx, oneId, otherId)
  await withdrawRequest(tx, { kind: 'friend_request', userId: oneId, actorIds: [otherId] })
  await withdrawRequest(tx, { kind: 'friend_request', userId: otherId, actorIds: [oneId] })
}

/** Separates the two, which ends their friendship, requests, pending invitations and offers of events. */
export const block = (db: Db, viewer: Viewer, userId: number) =>
  transact(db, async tx => {
    if (userId === viewer.id) refuse('oneself')
    await personForAct(tx, viewer, userId, mayBlock)
    await store.addBlock(tx, viewer.id, userId)
    await store.removeRequests(tx, viewer.id, userId)
    await store.removeFriendship(tx, viewer.id, userId)
    await withdrawBetween(tx, viewer.id, userId)
    await endInvitationsBetween(tx, viewer.id, userId)
    await endOffersBetween(tx, viewer.id, userId)
  })

export const unblock = (db: Db, viewer: Viewer, userId: number) =>
  transact(db, async tx => {
    await personForAct(tx, viewer, userId, mayBlock)
    await store.removeBlock(tx, viewer.id, userId)
  })
