import { sql } from 'kysely'
import type { Person } from '../../accounts/persons.ts'
import { personBeside } from '../../accounts/persons-sql.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows } from '../../platform/database/rows.ts'
import type { Range } from '../store.ts'

/**
 * Adds or removes a like. Every change to the likes or their count locks the photo's row, so the count equals the
 * likes. Returns whether that changed anything; undefined if the photo is deleted.
 */
export const setLiked = async (tx: Transaction, userId: number, photoId: number, liked: boolean) => {
  const { rows: living } = await sql`
    select from photos where id = ${photoId} and deleted_at is null for no key update`.execute(tx)
  if (living.length === 0) return undefined
  const { rows: changed } = await (liked
    ? sql`insert into photo_likes (photo_id, user_id) values (${photoId}, ${userId}) on conflict do nothing returning 1`
    : sql`delete from photo_likes where photo_id = ${photoId} and user_id = ${userId} returning 1`
  ).execute(tx)
  if (changed.length)
    await sql`update photos set likes_count = likes_count + ${liked ? 1 : -1} where id = ${photoId}`.execute(tx)
  return changed.length > 0
}

/** The likers among these people, by photo. */
export const likersAmong = async (db: Db, photoIds: readonly number[], userIds: readonly number[]) => {
  const { rows } = await sql<{ photo_id: number; user_id: number }>`
    select photo_id, user_id from photo_likes
    where photo_id = any(${photoIds}::bigint[]) and user_id = any(${userIds}::bigint[])`.execute(db)
  const ofPhoto = Map.groupBy(rows, row => row.photo_id)
  return new Map([...ofPhoto].map(([id, likes]) => [id, new Set(likes.map(({ user_id }) => user_id))]))
}

/** People who like a photo, newest first; bounded by the people of one event. */
export const listLikers = (db: Db, photoId: number, { offset, limit }: Range) => allRows<Person>(db)`
    select u.id, ${personBeside} from (
      select user_id, created_at from photo_likes where photo_id = ${photoId}
      order by created_at desc, user_id desc offset ${offset} limit ${limit}
    ) l join users u on u.id = l.user_id
    order by l.created_at desc, l.user_id desc`
