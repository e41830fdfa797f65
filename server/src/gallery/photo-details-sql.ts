import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { type OriginalRow, originalColumns } from '../platform/media/original.ts'
import type { FilmRow } from './present-film.ts'

/* What `extra` shows of photos. */

/** A photo's text, what the decoder found out about its picture, and for a video its state; times are as in JSON. */
export type Details = OriginalRow &
  FilmRow & {
    id: number
    caption: string | null
    alt_text: string | null
    hidden_at: string | null
    /** Nobody has approved it yet. */
    waits: boolean
    /** It is kept until the photos are revealed. */
    sealed: boolean
    by_photographer: boolean
    /** An earlier photo in the album that looks the same. */
    same_as: number | null
    thumbhash: string
    taken_at: string | null
    latitude: number | null
    longitude: number | null
  }

export const detailsOf = (ids: RawBuilder<unknown>) => sql`(
  select json_agg(detail) from (
    select p.id, p.caption, p.alt_text, iso_time(p.hidden_at) as hidden_at, p.waits, p.sealed_from is not null as sealed, p.by_photographer,
      case when p.same_as is not null
        then (select s.id from photos s where s.id = p.same_as and s.deleted_at is null) end as same_as,
      ${originalColumns}, picture.width, picture.height, picture.thumbhash,
      iso_time(picture.taken_at) as taken_at, picture.latitude, picture.longitude,
      v.state, v.progress, v.duration_ms, v.fault
    from photos p join media picture on picture.id = p.media_id left join videos v on v.media_id = picture.id
    where p.id = any(${ids})) detail)`

export const byId = (details: readonly Details[] | null) => new Map(details?.map(each => [each.id, each]))

export const detailsById = async (db: Db, photos: readonly { id: number }[]) => {
  if (photos.length === 0) return byId(null)
  const ids = sql`${photos.map(({ id }) => id)}::bigint[]`
  const { rows } = await sql<{ details: Details[] | null }>`select ${detailsOf(ids)} as details`.execute(db)
  return byId(rows[0]?.details ?? null)
}
