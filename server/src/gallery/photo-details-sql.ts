import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { type OriginalRow, originalColumns } from '../platform/media/original.ts'
import type { FilmRow } from './present-film.ts'

/* The photo details that `extra` shows. */

/** A photo's text, the decoder's findings about its picture, and for a video its state: as JSON. */
export type Details = OriginalRow &
  FilmRow & {
    caption: string | null
    alt_text: string | null
    /** These wait to be approved. */
    new_words: { caption: string | null; alt_text: string | null } | null
    hidden: boolean
    waits: boolean
    off_wall: boolean
    sealed: boolean
    by_photographer: boolean
    /** An earlier photo in the album that looks the same. */
    same_as: number | null
    thumbhash: string
    taken_at: string | null
    latitude: number | null
    longitude: number | null
  }

/** Columns of the photo `p`. */
export const details = sql`
  select p.caption, p.alt_text, p.new_words, p.hidden_at is not null as hidden, p.waits and not p.off_wall as waits, p.off_wall, p.sealed_from is not null as sealed, p.by_photographer,
    case when p.same_as is not null
      then (select s.id from photos s where s.id = p.same_as and s.deleted_at is null) end as same_as,
    ${originalColumns}, picture.width, picture.height, picture.thumbhash, picture.taken_at, picture.latitude, picture.longitude,
    v.state, v.progress, v.duration_ms, v.fault
  from media picture left join videos v on v.media_id = picture.id where picture.id = p.media_id`

export const readDetails = async (db: Db, id: number): Promise<Details> => {
  const { rows } = await sql<{ details: Details }>`
    select to_json(detail) as details from photos p, lateral (${details}) detail where p.id = ${id}`.execute(db)
  return (rows[0] as { details: Details }).details
}
