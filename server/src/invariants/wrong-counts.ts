import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { type Wrong, wrongAtMost } from './wrong.ts'

/** Of galleries, by what is wrong: the rows whose stored count a recount contradicts. */
export const galleryRecounts: Record<string, RawBuilder<unknown>> = {
  'the likes of a photo are not its count': sql`
    select p.id from photos p where p.likes_count <> (select count(*) from photo_likes l where l.photo_id = p.id)`,
  'the comments of a photo are not its count': sql`
    select p.id from photos p
    where p.comments_count <> (select count(*) from comments c left join comments above on above.id = c.parent_id
      where c.photo_id = p.id and c.deleted_at is null and c.hidden_at is null and above.hidden_at is null)`,
  'the replies to a comment are not its count': sql`
    select c.id from comments c where c.deleted_at is null and c.parent_id is null
      and c.replies_count <> (select count(*) from comments r
        where r.parent_id = c.id and r.deleted_at is null and r.hidden_at is null)`,
  'the uploads of a guest are not their count': sql`
    select g.user_id as id from guests g where g.photos_count <> (select count(*) from photos p
      where p.event_id = g.event_id and p.taken_by = g.user_id and p.attachment_id is null and p.deleted_at is null)`,
  'the gaps of a gallery are not its deleted photos': sql`
    select g.event_id as id from galleries g where
      coalesce((select sum(gaps) from sequence_gaps s where s.list = 'photos' and s.parent_id = g.event_id), 0)
      <> (select count(*) from photos p where p.event_id = g.event_id and p.deleted_at is not null)`,
}

const recounts: Record<string, RawBuilder<unknown>> = {
  ...galleryRecounts,
  'the bytes of a person, or of all (0), are not those of their files': sql`
    with files (user_id, bytes) as (
      select owner_id, original_bytes + variant_bytes(original_sha256, variants) from media where given_up_at is null
      union all
      select m.owner_id, v.original_bytes from videos v join media m on m.id = v.media_id where m.given_up_at is null
      union all
      select user_id, bytes from upload_sessions where photo_id is null
    ), recounted (user_id, bytes) as (
      select user_id, sum(bytes) from files group by user_id union all select 0, coalesce(sum(bytes), 0) from files
    )
    select coalesce(s.user_id, r.user_id) as id from stored_bytes s full join recounted r using (user_id)
    where coalesce(s.bytes, 0) <> coalesce(r.bytes, 0)`,
  'the guests of an event are not its count': sql`
    select e.id from events e
    where e.guests_count <> (select count(*) from guests g where g.event_id = e.id and g.ended_at is null)`,
  'the messages of a chat are not 1, 2, 3 …': sql`
    select c.id from group_chats c where c.last_sequence <> (select count(*) from messages m where m.group_chat_id = c.id)`,
  'the attachments of a message are not its count': sql`
    select m.id from messages m where m.deleted_at is null
      and m.attachments_count <> (select count(*) from attachments a where a.message_id = m.id and a.deleted_at is null)`,
}

/** Every stored count equals its recount. */
export const wrongCounts = async (db: Database): Promise<Wrong[]> => {
  const wrong: Wrong[] = []
  for (const [what, query] of Object.entries(recounts)) {
    const { rows } = await sql<{ id: number }>`${query} limit ${wrongAtMost}`.execute(db)
    wrong.push(...rows.map(({ id }) => ({ what, about: String(id) })))
  }
  return wrong
}
