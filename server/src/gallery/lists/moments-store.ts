import type { Standing } from '@afterglow/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'
import { shownTo, type ViewerInSql } from '../../events/standing-sql.ts'
import type { Db } from '../../platform/database/database.ts'
import { rowsToFetch } from '../../platform/database/sequence-pages.ts'
import { asPage, type PageColumns, pageOf } from '../photo-rows-sql.ts'
import { photo, unseenBy } from '../photo-sql.ts'
import type { PhotoList, Range } from '../store.ts'
import { quarterOf } from './moment-counts-store.ts'

/*
 * A gallery ordered by capture time. Photos arrive in any order, so a number stored with a photo cannot give its page.
 * Instead, existing photos are counted per quarter of an hour, in the transaction that adds or deletes one: a deep page
 * sums those counts and scans the photos of one quarter, however many come before it.
 */

export type MomentList = PhotoList & { standing: Standing }

/** A page ordered by capture time. One person's photos are sorted, because the quota limits their number. */
export const listByMoment = async (
  db: Db,
  viewerId: number,
  { eventId, takenBy, newestFirst, detailed, standing }: MomentList,
  { offset, limit }: Range,
) => {
  const order = newestFirst ? sql`p.moment desc, p.id desc` : sql`p.moment, p.id`
  const viewer = { id: viewerId, standing }
  const seen = shownTo(viewer, photo)
  const living = sql`from photos p where p.event_id = ${eventId} and p.deleted_at is null and ${seen}`
  const quarters = quartersSeenBy(eventId, viewer)
  const fetched = rowsToFetch(limit)
  const page = () => {
    if (takenBy !== undefined)
      return sql`select p.* ${living} and p.taken_by = ${takenBy} order by ${order} offset ${offset} limit ${fetched}`
    if (offset === 0) return sql`select p.* ${living} order by ${order} limit ${fetched}`
    return sql`
      select p.* from (${startOf({ quarters, newestFirst, offset, living, order })}) start, lateral (
        select * ${living} and (p.moment, p.id) ${newestFirst ? sql`<=` : sql`>=`} (start.moment, start.id)
        order by ${order} limit ${fetched}
      ) p`
  }
  const { rows } = await asPage(viewerId, page(), { order, detailed }).execute(db)
  return pageOf(rows[0] as PageColumns, limit)
}

/** How many photos each quarter has for a viewer, without those that not everybody sees. */
const quartersSeenBy = (eventId: number, viewer: ViewerInSql) => sql`
  select quarter, photos - coalesce(hidden, 0) as photos from photo_quarters left join (
    select ${quarterOf(sql`moment`)} as quarter, count(*) as hidden
    from (${unseenBy(viewer, eventId, sql`p.moment`)}) each group by 1
  ) unseen using (quarter)
  where event_id = ${eventId} and photos > coalesce(hidden, 0)`

type Start = {
  quarters: RawBuilder<unknown>
  newestFirst: boolean
  offset: number
  living: RawBuilder<unknown>
  order: RawBuilder<unknown>
}

/** The photo at `offset`: the quarter that reaches that far by the counts, then the remaining distance within it. */
const startOf = ({ quarters, newestFirst, offset, living, order }: Start) => {
  const direction = newestFirst ? sql`desc` : sql``
  return sql`
    select moment, id from (
      select quarter, upto - photos as before from (
        select quarter, photos, sum(photos) over (order by quarter ${direction}) as upto
        from (${quarters}) seen
      ) counts where upto > ${offset}::bigint order by quarter ${direction} limit 1
    ) reached, lateral (
      select p.moment, p.id ${living}
        and p.moment >= to_timestamp(reached.quarter * 900) and p.moment < to_timestamp((reached.quarter + 1) * 900)
      order by ${order} offset ${offset}::bigint - reached.before limit 1
    ) found`
}
