import { userStatus } from '@afterglow/contract/accounts'
import type { FriendStatus } from '@afterglow/contract/people'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Person, personBeside } from '../accounts/persons.ts'
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

const readPerson = async (db: Db, viewerId: number, userId: number) => (await readPeople(db, viewerId, [userId]))[0]

/** Those of the ids who exist. Whoever does not costs the same as who does, so that no clock tells them apart. */
const readPeople = async (db: Db, viewerId: number, ids: readonly number[]): Promise<PersonMet[]> => {
  const { rows } = await sql<PersonMet & { exists: boolean }>`
    select asked.id, ${personBeside}, u.created_at, u.id is not null as exists,
      u.status in (${sql.lit(userStatus.suspended)}, ${sql.lit(userStatus.erasing)}) as gone,
      asked.id = ${viewerId} as oneself,
      exists (select from friendships where user_id = ${viewerId} and friend_id = asked.id) as friend,
      exists (select from friend_requests where asker_id = ${viewerId} and asked_id = asked.id) as asked,
      exists (select from friend_requests where asker_id = asked.id and asked_id = ${viewerId}) as asks_you,
      exists (select from blocks where blocker_id = ${viewerId} and blocked_id = asked.id) as blocked,
      exists (select from blocks where blocker_id = asked.id and blocked_id = ${viewerId}) as blocks_you,
      exists (
        select from guests mine
        join guests theirs on theirs.event_id = mine.event_id and theirs.user_id = asked.id and theirs.ended_at is null
        join events on events.id = mine.event_id and events.deleted_at is null
        where mine.user_id = ${viewerId} and mine.ended_at is null) as shares_event
    from unnest(${ids}::bigint[]) asked (id) left join users u on u.id = asked.id`.execute(db)
  return rows.filter(({ exists }) => exists)
}

/** Those of the ids whom the viewer may find. */
export const findableOf = async (
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PersonMet>> => {
  const people = await readPeople(db, viewer.id, ids)
  return new Map(people.filter(mayFind).map(person => [person.id, person]))
}

/** Those of the ids who are friends of the viewer, ask to be, or were ever in an event with them. */
export const circleOf = async (db: Db, viewer: Viewer, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ id: number }>`
    with events_of as (
      select event_id from guests where user_id = ${viewer.id} and ended_at is null
      union all select event_id from guests where user_id = ${viewer.id} and ended_at is not null)
    select friend_id as id from friendships where user_id = ${viewer.id} and friend_id = any(${ids}::bigint[])
    union select asker_id from friend_requests where asked_id = ${viewer.id} and asker_id = any(${ids}::bigint[])
    union select g.user_id from events_of join guests g using (event_id) where g.user_id = any(${ids}::bigint[])`.execute(
    db,
  )
  return new Set(rows.map(row => row.id))
}

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
