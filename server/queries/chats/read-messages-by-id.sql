with told as materialized (
  select found.*, null::bigint as anchor, (
    select to_json(chat) from (
      select
c.id, c.event_id, c.status, c.last_sequence,
e.status as event_state, e.media_epoch, e.attachments_to_album, e.guests_hidden, e.photo_approval <> 'none' as approves_photos,
coalesce((select m.role from seats m
  where m.event_id = c.event_id and m.user_id = $1::bigint and
not exists (select from users suspended where suspended.id = $2::bigint and suspended.status = 3) limit 1), 'none') as standing,
array(select b.blocked_id::float8 from blocks b where b.blocker_id = $3::bigint) as blocked,
(select v.hides_seen from users v where v.id = $4::bigint) as hides_seen from group_chats c join events e on e.id = c.event_id and e.deleted_at is null where c.id = found.chat_id) chat) as chat
  from (
    select m.group_chat_id as n, m.group_chat_id as chat_id, min(m.sequence) as low,
json_agg((
  select to_json(message) from (
    select "m"."id", "m"."group_chat_id", "m"."sequence", "m"."user_id", "m"."content", "m"."reactions", "m"."created_at", "m"."updated_at", "m"."edited_at", "m"."deleted_at", "m"."hidden_at", "m"."card", case when p.id is not null then (select to_json(said) from (select "p"."id", "p"."group_chat_id", "p"."sequence", "p"."user_id", "p"."content", "p"."reactions", "p"."created_at", "p"."updated_at", "p"."edited_at", "p"."deleted_at", "p"."hidden_at", "p"."card") said) end as parent,
case when m.attachments_count = 0 then '[]' else coalesce((
  select json_agg(attachment) from (
select a.id, a.group_chat_id, a.message_id, a.user_id, iso_time(a.created_at) as created_at,
  iso_time(a.updated_at) as updated_at, iso_time(a.hidden_at) as hidden_at,
  case when v.media_id is null
then exists (
  select from media same join photos p on p.media_id = same.id
  where same.event_id = picture.event_id and same.original_sha256 = picture.original_sha256
    and p.deleted_at is null and p.hidden_at is null and not exists (select from videos poster where poster.media_id = same.id))
else exists (
  select from videos same join photos p on p.media_id = same.media_id
  where same.original_sha256 = v.original_sha256 and p.event_id = picture.event_id and p.deleted_at is null
    and p.hidden_at is null) end as in_album,
  e.media_epoch + a.picture_epoch as media_epoch,
  picture.width, picture.height, picture.thumbhash,
picture.id as media_id, picture.file_name, picture.original_type, (picture.full_size ->> 'bytes')::bigint as full_bytes,
picture.full_size -> 'incomplete' is not null as incomplete, picture.variants -> 'full' as whole,
picture.variants -> 'video' as film, picture.variants -> 'source' as film_source, picture.variants -> 'raw' as raw, picture.variants -> 'live' as live,
picture.variants -> 'motion' is not null as moves, picture.variants #>> '{display,type}' as display_type,
picture.variants #>> '{preview,type}' as preview_type, v.state, v.progress, v.duration_ms, v.fault
from attachments a join media picture on picture.id = a.media_id join events e on e.id = picture.event_id
  left join videos v on v.media_id = picture.id where a.message_id = m.id and a.deleted_at is null order by a.id) attachment), '[]') end as attachments,
case when m.reactions is null then '[]' else coalesce((
  select json_agg(r.emoji order by r.id) from message_reactions r
  where r.message_id = m.id and r.user_id = $5::bigint), '[]') end as own_emojis
  ) message))::text as messages,
array_agg(m.user_id) || array_agg(p.user_id) as named
    from unnest((select $6::bigint[])) as asked (id) join messages m on m.id = asked.id left join messages p on p.id = m.reply_to_id
    group by m.group_chat_id) found)
select told.n, told.chat, told.anchor, told.messages, reached.marks, (
  select json_agg(person)::text from (
    select "users"."id", "users"."first_name", "users"."middle_name", "users"."last_name", "users"."username", "users"."visible", "users"."avatar_media_id", "users"."avatar_ending" from users
    where users.id = any(reached.by || told.named)) person) as persons
from told left join lateral (
  select json_agg(mark)::text as marks, array_agg(mark.user_id) as by from (
    select s.user_id, s.seen_sequence from seen_marks s
    where s.group_chat_id = told.chat_id and s.seen_sequence >= told.low and not exists (select from users hiding where hiding.id = s.user_id and hiding.hides_seen)
    order by s.seen_sequence desc, s.user_id limit 101
  ) mark
) reached on true;
