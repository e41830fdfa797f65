  with told as materialized (
select m.id, m.group_chat_id, m.sequence, m.user_id, m.content, m.reactions,
  m.created_at, m.updated_at, m.edited_at, m.deleted_at, m.hidden_at,
  case when p.id is not null then json_build_object(
    'id', p.id, 'user_id', p.user_id, 'content', case when p.hidden_at is null then p.content else '' end,
    'created_at', p.created_at, 'updated_at', p.updated_at) end as parent,
  case when m.attachments_count > 0 then (
    select json_agg(hung) from (
select a.id, a.group_chat_id, a.message_id, a.user_id, a.created_at, a.updated_at, a.hidden_at,
  exists (
select from media same join photos p on p.media_id = same.id
where same.event_id = picture.event_id and same.original_sha256 = picture.original_sha256
  and p.deleted_at is null and not exists (select from videos v where v.media_id = same.id)) as in_album,
  e.media_epoch + a.picture_epoch as media_epoch,
  picture.width, picture.height, picture.thumbhash,
picture.id as media_id, picture.file_name, picture.original_type, (picture.full_size ->> 'bytes')::bigint as full_bytes,
picture.variants -> 'video' as film, picture.variants -> 'source' as film_source, picture.variants -> 'raw' as raw,
picture.variants -> 'motion' is not null as moves
from attachments a join media picture on picture.id = a.media_id join events e on e.id = picture.event_id where a.message_id = m.id and a.deleted_at is null order by a.id) hung) end as attachments,
  case when m.reactions is not null then array(
    select r.emoji from message_reactions r
    where r.message_id = m.id and r.user_id = $1::bigint order by r.id) end as my_reactions
from
unnest((select $2::bigint[])) as asked (id) join messages m on m.id = asked.id left join messages p on p.id = m.reply_to_id),
  firsts as (
    select distinct on (group_chat_id) id, group_chat_id, sequence from told order by group_chat_id, sequence
  )
  select told.*, case when first.id is not null then json_build_object(
    'chat', (select to_json(chat) from (
      select
c.id, c.event_id, c.status, c.version, c.seen_version, c.last_sequence,
e.status as event_state, e.media_epoch, e.attachments_to_album,
coalesce((select m.standing from members m
  where m.event_id = c.event_id and m.user_id = $3::bigint and
not exists (select from users suspended where suspended.id = $4::bigint and suspended.status = 3)), 'none') as standing,
array(select b.blocked_id::float8 from blocks b where b.blocker_id = $5::bigint) as blocked,
(select v.hides_seen from users v where v.id = $6::bigint) as hides_seen from group_chats c join events e on e.id = c.event_id and e.deleted_at is null
      where c.id = first.group_chat_id) chat),
    'marks', coalesce(reached.marks, '[]'),
    'persons', (select json_agg(person) from (
      select "users"."id", "users"."first_name", "users"."middle_name", "users"."last_name", "users"."username", "users"."visible", "users"."avatar_media_id" from users where users.id = any(reached.by || array(
        select unnest(array[t.user_id, (t.parent ->> 'user_id')::bigint]) from told t where t.group_chat_id = first.group_chat_id))) person)
    ) end as of_chat
  from told left join firsts first on first.id = told.id
  left join lateral (
    select json_agg(mark) as marks, array_agg(mark.user_id) as by from (
      select s.user_id, s.seen_sequence from seen_marks s
      where s.group_chat_id = first.group_chat_id and s.seen_sequence >= first.sequence and not exists (select from users hiding where hiding.id = s.user_id and hiding.hides_seen)
      order by s.seen_sequence desc, s.user_id limit 101
    ) mark
  ) reached on true
  order by told.id desc;
