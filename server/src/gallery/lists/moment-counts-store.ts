import { type RawBuilder, sql } from 'kysely'

/** The quarter of an hour since 1970 in which a moment lies. */
export const quarterOf = (moment: RawBuilder<unknown>) => sql`floor(extract(epoch from ${moment}) / 900)::bigint`

/**
 * For a statement with a CTE `changed` of photos (event_id, moment) that it adds (`1`) or removes (`-1`): counts them.
 */
export const counted = (more: 1 | -1) => sql`
  insert into photo_quarters (event_id, quarter, photos)
  select event_id, ${quarterOf(sql`moment`)}, ${sql.lit(more)} * count(*) from changed group by 1, 2
  on conflict (event_id, quarter) do update set photos = photo_quarters.photos + excluded.photos`
