import type { FriendStatus } from '@afterglow/contract/people'
import type { z } from 'zod'
import type { Db, Transaction } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { lockPair, type PersonMet, type Relation, readPeople } from './relations-sql.ts'

// ---- rules ----

/**
 * Invisible people can be seen by those who know them, and by those to whom they sent a friend request. In a shared
 * event a block hides nobody: there the blocked must neither notice it nor be kept from blocking and reporting.
 */
export const mayFind = (person: PersonMet): boolean =>
  !person.gone &&
  (!person.blocks_you || person.shares_event) &&
  (person.visible || person.oneself || person.friend || person.shares_event || person.asks_you || person.blocked)

export const mayBefriend = (person: PersonMet): boolean => mayFind(person) && !person.blocked

/** A friendship or block may be ended even with someone who can no longer be found. */
export const mayUnfriend = (person: PersonMet): boolean =>
  mayFind(person) || person.friend || person.asked || person.asks_you

/** Somebody who cannot be found cannot be blocked; an existing block remains. */
export const mayBlock = (person: PersonMet): boolean => mayFind(person) || person.blocked

export const friendStatusOf = (person: Relation): z.output<typeof FriendStatus> => {
  if (person.friend) return 'friends'
  if (person.asked) return 'asked'
  return person.asks_you ? 'asks_you' : 'none'
}

// ---- doors ----

/** The user with that ID as far as the viewer may see them; refuses with noSuchUser. */
export const personFor = (db: Db, viewer: Viewer, userId: number) => meet(db, viewer, userId, mayFind)

/**
 * The same for an act between the two, whose rows stay locked until it commits: of two concurrent acts, such as a block
 * and a friend request, the second sees what the first one did.
 */
export const personForAct = async (
  tx: Transaction,
  viewer: Viewer,
  userId: number,
  may: (person: PersonMet) => boolean,
): Promise<PersonMet> => {
  await lockPair(tx, viewer.id, userId)
  return meet(tx, viewer, userId, may)
}

const meet = async (db: Db, viewer: Viewer, userId: number, may: (person: PersonMet) => boolean) => {
  const [person] = await readPeople(db, viewer.id, [userId])
  return person && may(person) ? person : refuse('noSuchUser')
}

export const findableOf = async (
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PersonMet>> => {
  const people = await readPeople(db, viewer.id, ids)
  return new Map(people.filter(mayFind).map(person => [person.id, person]))
}
