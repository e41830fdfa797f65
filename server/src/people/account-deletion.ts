import { sql } from 'kysely'
import { type Db, transact } from '../platform/database/database.ts'

/**
 * Removes somebody's relations in both directions. Resolved reports of theirs are deleted; a pending one keeps its
 * target, which operators still have to judge, and loses their words.
 */
export const eraseRelations = (db: Db, userId: number): Promise<void> =>
  transact(db, async tx => {
    await sql`delete from friendships where user_id = ${userId} or friend_id = ${userId}`.execute(tx)
    await sql`delete from friend_requests where asker_id = ${userId} or asked_id = ${userId}`.execute(tx)
    await sql`delete from blocks where blocker_id = ${userId} or blocked_id = ${userId}`.execute(tx)
    await sql`delete from reports where reporter_id = ${userId} and status <> 'open'`.execute(tx)
    await sql`update reports set reason = 'Who reported this has left.' where reporter_id = ${userId}`.execute(tx)
  })
