import { sql } from 'kysely'

/**
 * Whether the bytes of `picture`, a row of media that is not a poster image, are a photo of its event, however they
 * arrived. One that an organizer has hidden does not count, so that an attachment reveals nothing of it.
 */
export const inAlbum = sql`exists (
  select from media same join photos p on p.media_id = same.id
  where same.event_id = picture.event_id and same.original_sha256 = picture.original_sha256
    and p.deleted_at is null and p.hidden_at is null and not exists (select from videos v where v.media_id = same.id))`
