import { userStatus } from '@afterglow/contract/accounts/user'
import { sql } from 'kysely'
import type { Person } from '../accounts/persons.ts'
import { personBeside } from '../accounts/persons-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allValues } from '../platform/database/rows.ts'
import type { Viewer } from '../platform/http/viewer.ts'

/** How two people relate to each other, from the viewer's side. */
export type Relation = {
  oneself: boolean
  friend: boolean
  asked: boolean
  asks_you: boolean
  blocked: boolean
  blocks_you: boolean
  /** Both are currently in some event. */
  shares_event: boolean
}

/** `gone`: suspended, or scheduled for deletion. */
export type PersonMet = Person & Relation & { gone: boolean; created_at: Date }

/** Serialises concurrent acts between the same two people. */
export const lockPair = (tx: Transaction, oneId: number, otherId: number) =>
  tx.selectFrom('users').select('id').where('id', 'in', [oneId, otherId]).orderBy('id').forNoKeyUpdate().execute()

/** The IDs that exist. Nonexistent ones cost the same, so timing does not tell them apart. */
export const readPeople = async (db: Db, viewerId: number, ids: readonly number[]): Promise<PersonMet[]> => {
  const { rows } = await sql<PersonMet & { exists: boolean }>`
    select asked.id, ${personBeside}, u.created_at, u.id is not null as exists,
      u.status in (${sql.lit(userStatus.suspended)}, ${sql.lit(userStatus.erasing)}) as gone,
      asked.id = ${viewerId} as oneself,
      exists (select from friendships where user_id = ${viewerId} and friend_id = asked.id) as friend,
      exists (select from friend_requests where asker_id = ${viewerId} and asked_id = asked.id) as asked,
      exists (select from friend_requests where asker_id = asked.id and asked_id = ${viewerId})
        and not exists (select from blocks where blocker_id = ${viewerId} and blocked_id = asked.id) as asks_you,
      exists (select from blocks where blocker_id = ${viewerId} and blocked_id = asked.id) as blocked,
      exists (select from blocks where blocker_id = asked.id and blocked_id = ${viewerId}) as blocks_you,
      exists (
        select from members mine
        join members theirs on theirs.event_id = mine.event_id and theirs.user_id = asked.id
        join events on events.id = mine.event_id and events.deleted_at is null
        where mine.user_id = ${viewerId}) as shares_event
    from unnest(${ids}::bigint[]) asked (id) left join users u on u.id = asked.id`.execute(db)
  return rows.filter(({ exists }) => exists)
}

/**
 * The IDs of people who are acquainted with the viewer (`areAcquainted`) or have sent them a friend request: a request
 * is permission to be invited.
 */
export const acquaintancesAmong = async (
  db: Db,
  viewer: Pick<Viewer, 'id'>,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ id: number }>`
    with events_of as (
      select event_id from members where user_id = ${viewer.id}
      union all select event_id from guests where user_id = ${viewer.id} and ended_at is not null)
    select friend_id as id from friendships where user_id = ${viewer.id} and friend_id = any(${ids}::bigint[])
    union select asker_id from friend_requests where asked_id = ${viewer.id} and asker_id = any(${ids}::bigint[])
    union select g.user_id from events_of join guests g using (event_id) where g.user_id = any(${ids}::bigint[])`.execute(
    db,
  )
  return new Set(rows.map(row => row.id))
}

/**
 * Says for each pair whether they know each other: friends, or once guests of the same event. In the order of the
 * pairs.
 */
export const areAcquainted = (db: Db, pairs: readonly (readonly [userId: number, otherId: number])[]) =>
  allValues<boolean>(db)`
    select p.user_id = p.other_id or exists (select from friendships f where f.user_id = p.user_id and f.friend_id = p.other_id)
      or exists (select from guests mine join guests theirs using (event_id)
        where mine.user_id = p.user_id and theirs.user_id = p.other_id) as acquainted
    from unnest(${pairs.map(([userId]) => userId)}::bigint[], ${pairs.map(([, otherId]) => otherId)}::bigint[])
      with ordinality p (user_id, other_id, at)
    order by p.at`

/** The blockers of each of these people; every ID is in the map. */
export const blockersOf = async (
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> => {
  const rows = await db
    .selectFrom('blocks')
    .select(['blocked_id', 'blocker_id'])
    .where('blocked_id', '=', eb => eb.fn.any(eb.val([...new Set(userIds)])))
    .execute()
  const byBlocked = Map.groupBy(rows, row => row.blocked_id)
  return new Map([...byBlocked].map(([id, all]) => [id, new Set(all.map(row => row.blocker_id))]))
}

/** For each of these people with any: whom they blocked, and who blocked them. */
export const blockedWith = async (db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, Set<number>>> => {
  const rows = await db
    .selectFrom('blocked_pairs')
    .select(['user_id', 'other_id'])
    .where('user_id', '=', eb => eb.fn.any(eb.val(userIds)))
    .execute()
  const byUser = Map.groupBy(rows, row => row.user_id as number)
  return new Map([...byUser].map(([id, all]) => [id, new Set(all.map(row => row.other_id as number))]))
}
