import { sql } from 'kysely'
import type { Db, Transaction } from '../platform/database.ts'

/* The SQL of doubles: the same bytes again, and pictures that look the same. */

/**
 * Of 128 comparisons two pictures may differ in so many and still count as one. Measured in
 * docs/decisions/doubles-in-an-album.md: re-encodings differ in up to 10, different pictures in 21 and more.
 */
const differencesMax = 10

/**
 * Of an upload; a video is the same whatever its still. `uploadSha256`: of the picture as it came, where something stood behind
 * its end.
 */
export type Sums = { sha256: string; uploadSha256?: string | null; videoSha256: string | undefined }

/**
 * The originals with these sums that an event's media were made of: pictures that are no stills, and videos. A picture is known
 * by the sum of what is kept of it, and by that of what came.
 */
const originals = (eventId: number, sums: readonly string[]) => sql`(
  select m.id as media_id, m.original_sha256 as sha256, false as plays from media m
  where m.event_id = ${eventId} and m.original_sha256 = any(${sums}::text[])
    and not exists (select from videos v where v.media_id = m.id)
  union all
  select m.id, m.upload_sha256, false from media m
  where m.event_id = ${eventId} and m.upload_sha256 = any(${sums}::text[])
    and not exists (select from videos v where v.media_id = m.id)
  union all
  select v.media_id, v.original_sha256, true from videos v join photos p on p.id = v.photo_id
  where v.original_sha256 = any(${sums}::text[]) and p.event_id = ${eventId})`

/** The living photo that this person made of these bytes, held until the transaction ends; undefined for none. */
export const ownPhotoOf = async (db: Db, userId: number, eventId: number, sums: Sums) => {
  const { sha256, uploadSha256, videoSha256 } = sums
  const wanted = videoSha256 ? [videoSha256] : [sha256, ...(uploadSha256 ? [uploadSha256] : [])]
  const { rows } = await sql<{ id: number }>`
    select p.id from ${originals(eventId, wanted)} o join photos p on p.media_id = o.media_id
    where o.plays = ${videoSha256 !== undefined}
      and p.event_id = ${eventId} and p.taken_by = ${userId} and p.deleted_at is null
    order by p.id limit 1 for share of p`.execute(db)
  return rows[0]?.id
}

/**
 * Which of these sums are those of originals in the album; of several photos one's own, then the earliest. A video whose
 * conversion failed is not there yet: the same bytes again try it again.
 */
export const photosOfSums = async (db: Db, userId: number, eventId: number, sums: readonly string[]) => {
  const { rows } = await sql<{ sha256: string; id: number; mine: boolean }>`
    select distinct on (o.sha256) o.sha256, p.id, p.taken_by = ${userId} as mine
    from ${originals(eventId, sums)} o join photos p on p.media_id = o.media_id
    where p.event_id = ${eventId} and p.deleted_at is null and (p.hidden_at is null or p.taken_by = ${userId})
      and not exists (select from videos v where v.photo_id = p.id and v.state = 'failed')
    order by o.sha256, mine desc, p.id`.execute(db)
  return rows
}

/**
 * Notes on a photo that this transaction added which earlier one it looks like: the first of the same bytes or of a look
 * hardly different. Reads one narrow index of the album, in its own statement: the gallery's lock makes earlier photos
 * visible to it.
 */
export const noteDouble = async (tx: Transaction, { id, eventId }: { id: number; eventId: number }) => {
  const { rows } = await sql<{ earlier: number | null }>`
    select least(
      (select min(p.id) from media m join photos p on p.media_id = m.id
       where m.event_id = added.event_id and m.original_sha256 = added.original_sha256
         and p.event_id = added.event_id and p.deleted_at is null and p.hidden_at is null and p.id < added.id
         and not exists (select from videos v where v.photo_id = p.id)),
      (select p.id from photos p
       where added.look is not null and p.event_id = added.event_id and p.deleted_at is null and p.look is not null
         and p.hidden_at is null and p.id < added.id and bit_count(p.look # added.look) <= ${sql.lit(differencesMax)}
       order by p.id limit 1)
    ) as earlier
    from (select p.id, p.event_id, p.look, m.original_sha256 from photos p join media m on m.id = p.media_id
      where p.id = ${id} and p.event_id = ${eventId}) added`.execute(tx)
  const earlier = rows[0]?.earlier
  if (earlier != null) await sql`update photos set same_as = ${earlier} where id = ${id}`.execute(tx)
}

/** For a photo that this transaction deletes or hides: nothing is the same as it any more. Returns what was. */
export const forgetDoubles = async (tx: Transaction, id: number) => {
  const { rows } = await sql<{ id: number }>`
    update photos set same_as = null where same_as = ${id} returning id`.execute(tx)
  return rows.map(row => row.id)
}
