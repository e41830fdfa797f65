import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database.ts'
import { rowsToFetch } from '../platform/sequence-pages.ts'
import { columns, type PhotoRow, type Range } from './store.ts'

/*
 * A gallery in the order in which its photos were taken. Photos arrive in any order of it, so no number that a photo
 * could carry says on which page it stands. Living photos are counted by quarter of an hour instead, in the transaction
 * that adds or deletes one: a deep page sums those counts and walks the photos of one quarter, whatever is before it.
 */

export type MomentList = { eventId: number; takenBy: number | undefined; newestFirst: boolean }

/** A page in the order of moments. One person's photos are sorted, as the quota bounds them. */
export const listByMoment = async (
  db: Db,
  viewerId: number,
  { eventId, takenBy, newestFirst }: MomentList,
  { offset, limit }: Range,
) => {
  const order = newestFirst ? sql`p.moment desc, p.id desc` : sql`p.moment, p.id`
  const living = sql`from photos p where p.event_id = ${eventId} and p.deleted_at is null`
  const fetched = rowsToFetch(limit)
  const page = () => {
    if (takenBy !== undefined)
      return sql`${living} and p.taken_by = ${takenBy} order by ${order} offset ${offset} limit ${fetched}`
    if (offset === 0) return sql`${living} order by ${order} limit ${fetched}`
    return sql`
      from (${startOf({ eventId, newestFirst, offset, living, order })}) start, lateral (
        select * ${living} and (p.moment, p.id) ${newestFirst ? sql`<=` : sql`>=`} (start.moment, start.id)
        order by ${order} limit ${fetched}
      ) p order by ${order}`
  }
  const { rows } = await sql<PhotoRow>`select ${columns(viewerId)} ${page()}`.execute(db)
  return rows.slice(0, limit)
}

type Start = {
  eventId: number
  newestFirst: boolean
  offset: number
  living: RawBuilder<unknown>
  order: RawBuilder<unknown>
}

/** The photo at `offset`: the quarter that reaches so far by the counts, then the rest of the way within it. */
const startOf = ({ eventId, newestFirst, offset, living, order }: Start) => {
  const direction = newestFirst ? sql`desc` : sql``
  return sql`
    select moment, id from (
      select quarter, upto - photos as before from (
        select quarter, photos, sum(photos) over (order by quarter ${direction}) as upto
        from photo_quarters where event_id = ${eventId} and photos > 0
      ) counts where upto > ${offset}::bigint order by quarter ${direction} limit 1
    ) reached, lateral (
      select p.moment, p.id ${living}
        and p.moment >= to_timestamp(reached.quarter * 900) and p.moment < to_timestamp((reached.quarter + 1) * 900)
      order by ${order} offset ${offset}::bigint - reached.before limit 1
    ) found`
}
