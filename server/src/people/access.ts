import { userStatus } from '@afterglow/contract/accounts'
import type { FriendStatus } from '@afterglow/contract/people'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Person, personColumns } from '../accounts/persons.ts'
import type { Db, Transaction } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'

/** What two people are to each other, seen from the viewer. */
export type Relation = {
  oneself: boolean
  friend: boolean
  asked: boolean
  asks_you: boolean
  blocked: boolean
  blocks_you: boolean
  /** Both are in some event now. */
  shares_event: boolean
}

/** `gone`: suspended, or on the way out. */
export type PersonMet = Person & Relation & { gone: boolean; created_at: Date }

// ---- rules ----

/** Invisible people are there for those who know them, and for those whom they asked for a friendship. */
export const mayFind = (person: PersonMet): boolean =>
  !person.gone &&
  !person.blocks_you &&
  (person.visible || person.oneself || person.friend || person.shares_event || person.asks_you || person.blocked)

export const mayBefriend = (person: PersonMet): boolean => mayFind(person) && !person.blocked

/** What one has begun, one may end: also with somebody who cannot be found any more. */
export const mayUnfriend = (person: PersonMet): boolean =>
  mayFind(person) || person.friend || person.asked || person.asks_you

/** Somebody who blocked the viewer is not found, and so not blocked; who is blocked already, stays it. */
export const mayBlock = (person: PersonMet): boolean => mayFind(person) || person.blocked

export const friendStatusOf = (person: Relation): z.output<typeof FriendStatus> => {
  if (person.friend) return 'friends'
  if (person.asked) return 'asked'
  return person.asks_you ? 'asks_you' : 'none'
}

// ---- doors ----

/** The person with that id as far as the viewer may see them; refuses with noSuchUser. */
export const personFor = (db: Db, viewer: Viewer, userId: number) => meet(db, viewer, userId, mayFind)

/**
 * The same for an act between the two, whose rows stay locked until it is committed: of two acts at once, a block and a
 * request for instance, the second sees what the first one did.
 */
export const personForAct = async (
  tx: Transaction,
  viewer: Viewer,
  userId: number,
  may: (person: PersonMet) => boolean,
): Promise<PersonMet> => {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [viewer.id, userId])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return meet(tx, viewer, userId, may)
}

const meet = async (db: Db, viewer: Viewer, userId: number, may: (person: PersonMet) => boolean) => {
  const person = await readPerson(db, viewer.id, userId)
  return person && may(person) ? person : refuse('noSuchUser')
}

const readPerson = (db: Db, viewerId: number, userId: number): Promise<PersonMet | undefined> =>
  db
    .selectFrom('users')
    .select([...personColumns, 'users.created_at'])
    .select([
      sql<boolean>`users.status in (${sql.lit(userStatus.suspended)}, ${sql.lit(userStatus.erasing)})`.as('gone'),
      sql<boolean>`users.id = ${viewerId}`.as('oneself'),
      sql<boolean>`exists (select from friendships where user_id = ${viewerId} and friend_id = users.id)`.as('friend'),
      sql<boolean>`exists (select from friend_requests where asker_id = ${viewerId} and asked_id = users.id)`.as(
        'asked',
      ),
      sql<boolean>`exists (select from friend_requests where asker_id = users.id and asked_id = ${viewerId})`.as(
        'asks_you',
      ),
      sql<boolean>`exists (select from blocks where blocker_id = ${viewerId} and blocked_id = users.id)`.as('blocked'),
      sql<boolean>`exists (select from blocks where blocker_id = users.id and blocked_id = ${viewerId})`.as(
        'blocks_you',
      ),
      sql<boolean>`exists (
        select from guests mine
        join guests theirs on theirs.event_id = mine.event_id and theirs.user_id = users.id and theirs.ended_at is null
        join events on events.id = mine.event_id and events.deleted_at is null
        where mine.user_id = ${viewerId} and mine.ended_at is null)`.as('shares_event'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst()

/** Who of these blocked the viewer, or was blocked by them. In SQL the view `blocked_pairs` says the same. */
export const blockedWith = async (db: Db, viewerId: number, userIds: readonly number[]): Promise<Set<number>> => {
  const rows = await db
    .selectFrom('blocked_pairs')
    .select('other_id')
    .where('user_id', '=', viewerId)
    .where('other_id', '=', eb => eb.fn.any(eb.val(userIds)))
    .execute()
  return new Set(rows.map(row => row.other_id as number))
}
