import type { TestBed } from '../test-bed.ts'

/** Per stored number: its owner, the stored value and the recounted one. */
const recounts: Record<string, string> = {
  'last sequence of chat': `select c.id, c.last_sequence as says, count(m.id) as is
    from group_chats c left join messages m on m.group_chat_id = c.id group by c.id`,
  'likes of photo': `select p.id, p.likes_count as says, count(l.user_id) as is
    from photos p left join photo_likes l on l.photo_id = p.id group by p.id`,
  'comments of photo': `select p.id, p.comments_count as says, count(c.id) as is
    from photos p left join (comments c left join comments above on above.id = c.parent_id)
      on c.photo_id = p.id and c.deleted_at is null and c.hidden_at is null and above.hidden_at is null group by p.id`,
  'attachments of message': `select m.id, m.attachments_count as says, count(a.id) as is
    from messages m left join attachments a on a.message_id = m.id and a.deleted_at is null where m.deleted_at is null group by m.id`,
  'guests of event': `select e.id, e.guests_count as says, count(g.user_id) as is
    from events e left join guests g on g.event_id = e.id and g.ended_at is null group by e.id`,
  'uploads of guest': `select g.user_id as id, g.photos_count as says, count(p.id) as is
    from guests g left join photos p on p.event_id = g.event_id and p.taken_by = g.user_id and p.deleted_at is null and p.attachment_id is null
    group by g.event_id, g.user_id, g.photos_count`,
  'stored bytes of person': `select s.user_id as id, s.bytes as says, coalesce(sum(f.bytes), 0)::bigint as is
    from stored_bytes s left join (
      select owner_id, original_bytes + coalesce((select sum(distinct_files.bytes) from (
        select distinct on (value ->> 'sha256') (value ->> 'bytes')::bigint as bytes from jsonb_each(variants)
        where value ->> 'sha256' <> original_sha256) distinct_files), 0) as bytes
      from media where given_up_at is null
      union all
      select m.owner_id, v.original_bytes from videos v join media m on m.id = v.media_id where m.given_up_at is null
      union all
      select user_id, bytes from upload_sessions where used_at is null) f on f.owner_id = s.user_id
    where s.user_id <> 0 group by s.user_id, s.bytes`,
  'last activity of chat': `select c.id, extract(epoch from c.last_activity_at)::bigint as says,
      extract(epoch from max(m.created_at))::bigint as is
    from group_chats c join messages m on m.group_chat_id = c.id group by c.id`,
  'reactions shown of message': `select m.id, coalesce((select sum((r ->> 'count')::bigint) from jsonb_array_elements(
      case jsonb_typeof(m.reactions) when 'array' then m.reactions else '[]' end) r), 0)::bigint as says, count(x.user_id) as is
    from messages m left join message_reactions x on x.message_id = m.id
    where m.deleted_at is null and (m.reactions is null or jsonb_typeof(m.reactions) = 'array') group by m.id`,
}

/** I6: every stored count is what counting gives. */
export const checkCounts = async ({ service, report }: Pick<TestBed, 'service' | 'report'>): Promise<void> => {
  for (const [what, query] of Object.entries(recounts)) {
    const rows = await service.sql<{ id: number; says: number; is: number }>(query)
    const wrong = rows.filter(({ says, is }) => Number(says) !== Number(is))
    report.checked(
      'I6',
      rows.length,
      wrong.map(({ id, says, is }) => `the ${what} ${id} is stored as ${says} and counted as ${is}`),
    )
  }
}
