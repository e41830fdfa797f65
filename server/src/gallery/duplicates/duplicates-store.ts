import { can, ordinary, type Standing } from '@afterglow/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'

import { shownTo } from '../../events/standing-sql.ts'
import { type Db, notByIndex, type Transaction } from '../../platform/database/database.ts'
import { allRows, allValues, firstRow } from '../../platform/database/rows.ts'
import { photo } from '../photo-sql.ts'
import { type Gallery, galleryOf } from '../store.ts'

/* Duplicates: the same bytes again, and pictures that look the same. */

/**
 * Two pictures that differ in up to this many of 128 comparisons count as one. Measured in
 * docs/decisions/doubles-in-an-album.md: re-encodings differ in up to 10, different pictures in 21 or more.
 */
const differencesMax = 10

/**
 * The hashes of an upload; a video is the same whatever its poster image. `uploadSha256`: of the picture as uploaded,
 * if bytes after its end were cut off. `beside`: of the files that accompany a picture.
 */
export type Sums = {
  sha256: string
  uploadSha256?: string | null
  videoSha256: string | undefined
  beside?: readonly string[]
}

/** Each has an index of its own, named after it. */
const besideOriginals = (variant: 'raw' | 'live', eventId: number, sums: readonly string[]) => {
  const sha256 = sql`(m.variants -> ${sql.lit(variant)} ->> 'sha256')`
  return sql`select m.id, ${sha256}, false from media m where m.event_id = ${eventId} and ${sha256} = any(${sums}::text[])`
}

/**
 * `photos p`, also deleted ones, made from originals `o` with these hashes: pictures that are not poster images, and videos. A picture is
 * known by the hash of what is kept of it, and by that of the uploaded file. The few originals are found first, so that
 * an upload costs the same whatever is in the album.
 */
const everyPhotoFrom = (eventId: number, sums: readonly string[]) => {
  const isNoPoster = sql`not exists (select from videos v where v.media_id = m.id)`
  return sql`
    from (
      with originals as materialized (
        select m.id as media_id, m.original_sha256 as sha256, false as plays from media m
        where m.event_id = ${eventId} and m.original_sha256 = any(${sums}::text[]) and ${isNoPoster}
        union all
        select m.id, m.upload_sha256, false from media m
        where m.event_id = ${eventId} and m.upload_sha256 = any(${sums}::text[]) and ${isNoPoster}
        union all
        ${besideOriginals('raw', eventId, sums)}
        union all
        ${besideOriginals('live', eventId, sums)}
        union all
        select v.media_id, v.original_sha256, true from videos v where v.original_sha256 = any(${sums}::text[])
      ) select * from originals
    ) o join photos p on p.media_id = o.media_id
    where ${notByIndex(sql`p.event_id`)} = ${eventId}`
}
const photosFrom = (eventId: number, sums: readonly string[]) =>
  sql`${everyPhotoFrom(eventId, sums)} and p.deleted_at is null`

type Seeing = { id: number; standing: Standing | RawBuilder<unknown> }

const photoWith = (eventId: number, { sha256, uploadSha256, videoSha256 }: Sums, viewer?: Seeing) => {
  const wanted = videoSha256 ? [videoSha256] : [sha256, ...(uploadSha256 ? [uploadSha256] : [])]
  return sql<{ id: number }>`
    select p.id ${photosFrom(eventId, wanted)} and o.plays = ${videoSha256 !== undefined} and ${viewer ? shownTo(viewer, photo) : sql`true`}
    order by p.taken_by = ${viewer?.id ?? 0} desc, p.id limit 1 for share of p`
}

/**
 * The photo with these bytes that is not deleted, locked until the transaction ends; undefined if there is none. Among
 * several, created before bytes were unique or while another was hidden, one's own comes first, then the earliest.
 * Photos hidden from the viewer do not exist for them; without a viewer, nothing is hidden.
 */
export const photoOfBytes = async (db: Db, eventId: number, sums: Sums, viewer?: Seeing) =>
  (await photoWith(eventId, sums, viewer).execute(db)).rows[0]?.id

type Seeker = { viewerId: number; but?: number }

const takenDownWith = (
  eventId: number,
  { sha256, uploadSha256, videoSha256, beside = [] }: Sums,
  { viewerId, but }: Seeker,
) => {
  const sums = [sha256, uploadSha256, videoSha256, ...beside].filter(sum => sum != null)
  return sql<{ mine: boolean }>`
    select p.taken_by = ${viewerId} as mine ${everyPhotoFrom(eventId, sums)}
      and (p.hidden_at is not null and p.sealed_from is null and not p.waits or p.deleted_at is not null and p.taken_down)
      and p.id <> ${but ?? 0}
    order by mine desc limit 1`
}

/**
 * An organizer has taken a photo with any of these bytes down, by hiding or deleting it: it stays down whatever its
 * uploader does with it since. `mine`: it was the viewer's own.
 */
export const takenDown = async (
  db: Db,
  eventId: number,
  sums: Sums,
  seeker: Seeker,
): Promise<{ mine: boolean } | undefined> => (await takenDownWith(eventId, sums, seeker).execute(db)).rows[0]

/** Everything that decides on an upload: a gallery, its photo with these bytes, and earlier take-downs. */
export const findGalleryForBytes = async (
  db: Db,
  viewerId: number,
  { eventId, sums, placesHeld }: { eventId: number; sums: Sums; placesHeld: RawBuilder<number> },
) => {
  const before = photoWith(eventId, sums, { id: viewerId, standing: sql`gallery.standing` })
  return firstRow<Gallery & { before: number | null; down: boolean; places_held: number }>(db)`
    with gallery as materialized (${galleryOf(viewerId, eventId)})
    select gallery.*, (${before}) as before, exists (${takenDownWith(eventId, sums, { viewerId })}) as down,
      ${placesHeld} as places_held
    from gallery`
}

/** The hashes of a picture, or of an attachment's; undefined for an attachment that never existed. */
export const sumsOf = async (db: Db, of: { mediaId: number } | { attachmentId: number }) => {
  const id =
    'mediaId' in of ? sql`${of.mediaId}` : sql`(select media_id from attachments where id = ${of.attachmentId})`
  const { rows } = await sql<{ event_id: number; sha256: string; video_sha256: string | null }>`
    select m.event_id, m.original_sha256 as sha256, v.original_sha256 as video_sha256
    from media m left join videos v on v.media_id = m.id where m.id = ${id}`.execute(db)
  return rows.map(row => ({ eventId: row.event_id, sha256: row.sha256, videoSha256: row.video_sha256 ?? undefined }))[0]
}

/** The messages that show a picture or a film with these bytes, from any sender. */
export const messagesShowing = async (db: Db, eventId: number, { sha256, videoSha256 }: Sums) => {
  const shown = videoSha256
    ? sql`from videos v join media m on m.id = v.media_id and v.original_sha256 = ${videoSha256}`
    : sql`from media m where m.original_sha256 = ${sha256}`
  return allValues<number>(db)`
    select distinct a.message_id from (select m.id ${shown} ${videoSha256 ? sql`where` : sql`and`} m.event_id = ${eventId}) m
    join attachments a on a.media_id = m.id and a.deleted_at is null
    order by a.message_id`
}

/** The messages that show one of these pictures: they say whether it is in the album. */
export const messagesShowingAny = (db: Db, eventId: number, mediaIds: readonly number[]) => allValues<number>(db)`
    with shown as (
      select m.id, m.original_sha256 as picture, v.original_sha256 as film
      from media m left join videos v on v.media_id = m.id where m.id = any(${mediaIds}::bigint[])
    ), same as (
      select m.id from shown join media m on m.event_id = ${eventId} and m.original_sha256 = shown.picture
      where shown.film is null
      union all
      select m.id from shown join videos v on v.original_sha256 = shown.film
        join media m on m.id = v.media_id and m.event_id = ${eventId}
    )
    select distinct a.message_id from same join attachments a on a.media_id = same.id and a.deleted_at is null
    order by a.message_id`

/**
 * Finds the hashes that belong to originals in the album; among several photos the viewer's own, then the earliest. A
 * video whose conversion failed does not count: uploading the same bytes again retries it.
 */
export const photosOfSums = async (
  db: Db,
  { id: userId, standing: as }: { id: number; standing: Standing },
  eventId: number,
  sums: readonly string[],
) => {
  const standing = can(as, 'seeHidden') ? ordinary : as
  return allRows<{ sha256: string; id: number; mine: boolean }>(db)`
    select distinct on (o.sha256) o.sha256, p.id, p.taken_by = ${userId} as mine ${photosFrom(eventId, sums)}
      and ${shownTo({ id: userId, standing }, photo)}
      and not exists (select from videos v where v.media_id = p.media_id and v.state = 'failed')
    order by o.sha256, mine desc, p.id`
}

/**
 * Records, for a photo that this transaction added, the earlier one it looks like: the first with the same bytes or an
 * almost identical look. Reads one narrow index of the album, in its own statement: the gallery's lock makes earlier
 * photos visible to it.
 */
export const noteDouble = async (tx: Transaction, { id, eventId }: { id: number; eventId: number }) => {
  await sql`
    update photos set same_as = found.earlier from (select least(
      (select min(p.id) from media m join photos p on p.media_id = m.id
       where m.event_id = added.event_id and m.original_sha256 = added.original_sha256
         and p.event_id = added.event_id and p.deleted_at is null and p.hidden_at is null and p.id < added.id
         and not exists (select from videos v where v.media_id = p.media_id)),
      (select p.id from photos p
       where added.look is not null and p.event_id = added.event_id and p.deleted_at is null and p.look is not null
         and p.hidden_at is null and p.id < added.id and bit_count(p.look # added.look) <= ${sql.lit(differencesMax)}
       order by p.id limit 1)
    ) as earlier
    from (select p.id, p.event_id, p.look, m.original_sha256 from photos p join media m on m.id = p.media_id
      where p.id = ${id} and p.event_id = ${eventId}) added) found
    where photos.id = ${id} and found.earlier is not null`.execute(tx)
}

/**
 * For photos that this transaction deletes or hides: nothing is a duplicate of them any more. Returns the former
 * duplicates.
 */
export const forgetDoubles = (tx: Transaction, ids: readonly number[]) => allValues<number>(tx)`
    update photos set same_as = null where same_as = any(${ids}::bigint[]) returning id`
