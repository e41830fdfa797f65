import type { Standing } from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import { shownTo } from '../../events/standing-sql.ts'
import type { Db } from '../../platform/database/database.ts'
import { asPage, type PageColumns, pageOf } from '../photo-rows-sql.ts'
import { photo } from '../photo-sql.ts'
import type { PhotoList, Range } from '../store.ts'

export type LikedList = Omit<PhotoList, 'newestFirst'> & { standing: Standing }

/**
 * A page ordered by likes, ties latest first. Sorted on request: with an index on the like count, every like would
 * write all indexes of its photo.
 */
export const listMostLiked = async (
  db: Db,
  viewerId: number,
  { eventId, takenBy, detailed, standing }: LikedList,
  { offset, limit }: Range,
) => {
  const order = sql`p.likes_count desc, p.id desc`
  const photos = sql`
    select * from (
      select p.id from photos p where p.event_id = ${eventId} and p.deleted_at is null
        and ${shownTo({ id: viewerId, standing }, photo)}
        ${takenBy === undefined ? sql`` : sql`and p.taken_by = ${takenBy}`}
      order by ${order} offset ${offset} limit ${limit}
    ) page join photos using (id)`
  const { rows } = await asPage(viewerId, photos, { order, detailed }).execute(db)
  return pageOf(rows[0] as PageColumns, limit)
}
