import { sql } from 'kysely'

/**
 * True if the bytes of `picture`, a row of media, or of its film, a row of `videos v` or none, are a photo of its
 * event, however they arrived. A photo that an organizer has hidden does not count, so that an attachment reveals
 * nothing of it.
 */
export const inAlbum = sql`case when v.media_id is null
  then exists (
    select from media same join photos p on p.media_id = same.id
    where same.event_id = picture.event_id and same.original_sha256 = picture.original_sha256
      and p.deleted_at is null and p.hidden_at is null and not exists (select from videos poster where poster.media_id = same.id))
  else exists (
    select from videos same join photos p on p.media_id = same.media_id
    where same.original_sha256 = v.original_sha256 and p.event_id = picture.event_id and p.deleted_at is null
      and p.hidden_at is null) end`
