import { userStatus } from '@afterglow/contract/accounts/user'
import { personColumns } from '../accounts/persons-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { run } from '../platform/database/rows.ts'

type Range = { offset: number; limit: number }

/** Suspended users and those scheduled for deletion, whom nobody can find. */
const gone = [userStatus.suspended, userStatus.erasing]

// ---- friends ----

/** False if they had asked before. */
export const addRequest = async (tx: Transaction, askerId: number, askedId: number) => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('friend_requests')
    .values({ asker_id: askerId, asked_id: askedId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Whichever of the two asked. */
export const removeRequests = (tx: Transaction, oneId: number, otherId: number) => run(tx)`delete from friend_requests
    where (asker_id, asked_id) in ((${oneId}, ${otherId}), (${otherId}, ${oneId}))`

export const addFriendship = (tx: Transaction, oneId: number, otherId: number) =>
  run(tx)`insert into friendships (user_id, friend_id, found_by)
    select pair.user_id, users.id, line_of(users)
    from (values (${oneId}::bigint, ${otherId}::bigint), (${otherId}, ${oneId})) as pair (user_id, friend_id)
    join users on users.id = pair.friend_id
    on conflict do nothing`

export const removeFriendship = (tx: Transaction, oneId: number, otherId: number) => run(tx)`delete from friendships
    where (user_id, friend_id) in ((${oneId}, ${otherId}), (${otherId}, ${oneId}))`

/** By name. */
export const listFriends = (db: Db, userId: number, { offset, limit }: Range) =>
  db
    .selectFrom('friendships')
    .innerJoin('users', 'users.id', 'friendships.friend_id')
    .select(personColumns)
    .where('friendships.user_id', '=', userId)
    .where('users.status', 'not in', gone)
    .orderBy('friendships.found_by')
    .orderBy('friendships.friend_id')
    .offset(offset)
    .limit(limit)
    .execute()

/** Friend requests to this person, newest first, without those of people they block. */
export const listRequests = (db: Db, userId: number, { offset, limit }: Range) =>
  db
    .selectFrom('friend_requests')
    .innerJoin('users', 'users.id', 'friend_requests.asker_id')
    .select(personColumns)
    .where('friend_requests.asked_id', '=', userId)
    .where('users.status', 'not in', gone)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('blocks')
            .select('blocked_id')
            .where('blocker_id', '=', userId)
            .whereRef('blocked_id', '=', 'friend_requests.asker_id'),
        ),
      ),
    )
    .orderBy('friend_requests.created_at', 'desc')
    .orderBy('friend_requests.asker_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

// ---- blocks ----

export const addBlock = (tx: Transaction, blockerId: number, blockedId: number) =>
  tx
    .insertInto('blocks')
    .values({ blocker_id: blockerId, blocked_id: blockedId })
    .onConflict(conflict => conflict.doNothing())
    .execute()

export const removeBlock = (tx: Transaction, blockerId: number, blockedId: number) =>
  tx.deleteFrom('blocks').where('blocker_id', '=', blockerId).where('blocked_id', '=', blockedId).execute()

/** Blocked people, newest first; including suspended users, so that a block can always be removed. */
export const listBlocked = (db: Db, userId: number, { offset, limit }: Range) =>
  db
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocks.blocked_id')
    .select(personColumns)
    .where('blocks.blocker_id', '=', userId)
    .orderBy('blocks.created_at', 'desc')
    .orderBy('blocks.blocked_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
