import type { Client } from 'pg'
import { bulk } from './bulk.ts'
import { pictureColumns } from './gallery.ts'

/** Every second person has an avatar. */
export const fillAvatars = (db: Client): Promise<void> =>
  bulk(db, ['media'], () =>
    db.query(
      `with avatars as (
         insert into media (owner_id, original_sha256, original_bytes, original_type, width, height, thumbhash, taken_at, variants)
         select id, ${pictureColumns('id')} from users where id % 2 = 0 order by id returning id, owner_id
       ) update users set avatar_media_id = avatars.id from avatars where users.id = avatars.owner_id`,
    ),
  )
