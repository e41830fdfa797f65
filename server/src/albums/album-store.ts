import type { Standing } from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import { inTime } from '../events/deletion/deletion-sql.ts'
import { roleMay, shownTo, standingIn } from '../events/standing-sql.ts'
import { photo } from '../gallery/photo-sql.ts'
import type { Db } from '../platform/database/database.ts'
import { allRows, firstRow } from '../platform/database/rows.ts'
import type { FullSize } from '../platform/media/structure/read-structure.ts'

export type Album = {
  name: string
  timezone: string
  /** The event's media epoch and the viewer's link epoch together: whichever rises ends the viewer's links. */
  link_epoch: number
  standing: Standing
  /** The event is deleted and can be restored: people get their own photos, and nothing else. */
  deleted: boolean
  last_sequence: number
}

export const findAlbum = (db: Db, viewerId: number, eventId: number) => firstRow<Album>(db)`
    select e.name, e.timezone,
      e.media_epoch + (select u.link_epoch from users u where u.id = ${viewerId}) as link_epoch, e.deleted_at is not null as deleted, ${standingIn(viewerId)} as standing,
      coalesce((select last_sequence from galleries g where g.event_id = e.id), 0) as last_sequence
    from events e where e.id = ${eventId} and (e.deleted_at is null or ${inTime})`

export type Size = 'full' | 'shown'

/**
 * Photos up to a sequence: all, those of one person, those the viewer likes, or a stored selection of theirs.
 * `viewerId` and `size` decide which file of each.
 */
export type Selection = {
  eventId: number
  viewerId: number
  takenBy: number | null
  liked: boolean
  /**
   * Includes photos that this viewer sees and others do not. The viewer's own photos and a selection include them
   * anyway.
   */
  hidden?: boolean
  choiceId: number | null
  upTo: number
  size: Size
}

export type AlbumPhoto = {
  id: number
  sequence: number
  /** Others do not see it: it waits, was refused or hidden, or is kept until the reveal. */
  hidden: boolean
  first_name: string
  /** The camera's file name, without its extension. */
  file_name: string | null
  /** The camera's clock reading, possibly with its offset from UTC. */
  taken_local: string | null
  created_at: Date
  /** The file that this viewer gets, whole or in pieces. */
  sha256: string
  stored_bytes: number
  type: string
  /** Null if it does not exist yet, or the file was lost. */
  crc32: number | null
  full_size: FullSize | null
  /** The camera's RAW file, for those who may have it. */
  raw: { sha256: string; bytes: number; type: string } | null
  raw_crc32: number | null
  /**
   * The film of a Live Photo or motion photo, unless it is within the file: as it came for those who may have it, as it
   * plays for everybody else.
   */
  moment: { sha256: string; bytes: number; type: string } | null
  moment_crc32: number | null
  /** The photo was uploaded before full sizes existed: its full size is still to be found or made. */
  unread: boolean
  media_id: number
}

/**
 * Some photos of a selection that this viewer may see, in order, after the given `after` sequence. Photos that others
 * do not see are included only on request. In full size, the uploader gets the uploaded bytes, and everybody else the
 * same pixels without location and camera data; if that is not possible, they are re-encoded. A RAW comes with its
 * picture, and the RAW file itself for the uploader and organizers (see mayHaveRaw); so does the film of a Live Photo.
 */
export const listAlbum = async (
  db: Db,
  { eventId, viewerId, takenBy, liked, hidden = false, choiceId, upTo, size }: Selection,
  after: number,
  most: number,
) => {
  const full = size === 'full'
  const isAskedFor = hidden || takenBy === viewerId || choiceId !== null
  const standing = standingIn(viewerId, sql`${eventId}::bigint`)
  return allRows<AlbumPhoto>(db)`
    select f.*, coalesce(f.approved_name, u.first_name) as first_name, s.crc32, r.crc32 as raw_crc32, t.crc32 as moment_crc32 from (
      select p.id, p.sequence, p.hidden_at is not null as hidden, p.media_id, p.taken_by, p.approved_name ->> 'first_name' as approved_name, p.created_at, m.taken_local, m.file_name,
        case when own then coalesce(v.original_sha256, m.original_sha256)
          when scrubbed then m.original_sha256 else shown ->> 'sha256' end as sha256,
        case when own then coalesce(v.original_bytes, m.original_bytes)
          when scrubbed then m.original_bytes else (shown ->> 'bytes')::bigint end as stored_bytes,
        case when own then coalesce(v.original_type, m.original_type)
          when scrubbed then m.original_type else shown ->> 'type' end as type,
        case when scrubbed then m.full_size end as full_size,
        ${full} and not own and v.media_id is null and (m.full_size is null
          or (m.full_size ->> 'bytes')::bigint = 0 and not m.variants ? 'full') as unread,
        case when ${full} and (p.taken_by = ${viewerId} or ${roleMay(standing, 'haveOriginals')}) then m.variants -> 'raw' end as raw,
        case when ${full} and (p.taken_by = ${viewerId} or ${roleMay(standing, 'haveOriginals')}) and m.variants ? 'live'
          then m.variants -> 'live' when ${full} and not own then m.variants -> 'motion' end as moment
      from photos p join media m on m.id = p.media_id left join videos v on v.media_id = p.media_id
      cross join lateral (select coalesce(case when ${full} then m.variants -> 'source' end, m.variants -> 'video',
          case when ${full} and v.media_id is null then m.variants -> 'full' end, m.variants -> 'display') as shown,
        ${full} and m.owner_id = ${viewerId} and p.taken_by = ${viewerId}
          and m.variants -> 'raw' ->> 'sha256' is distinct from m.original_sha256 as own) which
      cross join lateral (select ${full} and not own and v.media_id is null
        and coalesce((m.full_size ->> 'bytes')::bigint, 0) > 0 as scrubbed) how
      where p.event_id = ${eventId} and p.sequence > ${after} and p.sequence <= ${upTo} and p.deleted_at is null
        and ${shownTo({ id: viewerId, standing }, photo)}
        ${isAskedFor ? sql`` : sql`and p.hidden_at is null`}
        and (${takenBy}::bigint is null or p.taken_by = ${takenBy})
        ${liked ? sql`and exists (select from photo_likes l where l.photo_id = p.id and l.user_id = ${viewerId})` : sql``}
        ${choiceId === null ? sql`` : sql`and p.id in (select unnest(photo_ids) from album_selections where id = ${choiceId})`}
      order by p.sequence limit ${most}
    ) f join users u on u.id = f.taken_by left join file_sums s on s.sha256 = f.sha256
      left join file_sums r on r.sha256 = f.raw ->> 'sha256' left join file_sums t on t.sha256 = f.moment ->> 'sha256'
    order by f.sequence`
}

/** Stores a selection of photos for the link to them. */
export const storeSelection = async (db: Db, userId: number, photoIds: readonly number[]) => {
  const { id } = await db
    .insertInto('album_selections')
    .values({ user_id: userId, photo_ids: sql`${[...new Set(photoIds)]}::bigint[]` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
