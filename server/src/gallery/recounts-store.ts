import { type RawBuilder, sql } from 'kysely'

/** Gallery rows whose stored count differs from a recount, by the fault's name. */
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
  'the reactions to a comment are not their counts': sql`
    select comment_id as id from (
        select comment_id, reaction, count from comment_reaction_counts where count <> 0
        union all select comment_id, reaction, -count(*) from comment_reactions group by comment_id, reaction) n
    group by comment_id, reaction having sum(count) <> 0`,
  'the uploads of a guest are not their count': sql`
    select g.user_id as id from guests g where g.photos_count <> (select count(*) from photos p
      where p.event_id = g.event_id and p.taken_by = g.user_id and p.attachment_id is null and p.deleted_at is null)`,
  'the gaps of a gallery are not its deleted photos': sql`
    select g.event_id as id from galleries g where
      coalesce((select sum(gaps) from sequence_gaps s where s.list = 'photos' and s.parent_id = g.event_id), 0)
      <> (select count(*) from photos p where p.event_id = g.event_id and p.deleted_at is not null)`,
}
