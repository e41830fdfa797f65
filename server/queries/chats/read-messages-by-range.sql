with told as materialized (
  select span.n, span.chat_id, span.low, found.lines, found.named from unnest(
    (select $1::bigint[]), (select $2::bigint[]),
    (select $3::bigint[]), (select $4::bigint[]),
    (select $5::bigint[])
  ) with ordinality as span (chat_id, low, first, last, viewer_id, n) cross join lateral (
    select
'[' || string_agg('[' || m.line || ',' || coalesce(p.line, 'null') || ',' || coalesce(
  case when m.attachments_count > 0 then (
    select json_agg(hung)::text from (
select a.id, a.group_chat_id, a.message_id, a.user_id, iso_time(a.created_at) as created_at,
  iso_time(a.updated_at) as updated_at, iso_time(a.hidden_at) as hidden_at,
  exists (
select from media same join photos p on p.media_id = same.id
where same.event_id = picture.event_id and same.original_sha256 = picture.original_sha256
  and p.deleted_at is null and not exists (select from videos v where v.media_id = same.id)) as in_album,
  e.media_epoch + a.picture_epoch as media_epoch,
  picture.width, picture.height, picture.thumbhash,
picture.id as media_id, picture.file_name, picture.original_type, (picture.full_size ->> 'bytes')::bigint as full_bytes,
picture.variants -> 'video' as film, picture.variants -> 'source' as film_source, picture.variants -> 'raw' as raw, picture.variants -> 'live' as live,
picture.variants -> 'motion' is not null as moves
from attachments a join media picture on picture.id = a.media_id join events e on e.id = picture.event_id where a.message_id = m.id and a.deleted_at is null order by a.id) hung) end, 'null')
  || ',' || coalesce(case when m.reactions is not null then (
select json_agg(r.emoji order by r.id)::text from message_reactions r
where r.message_id = m.id and r.user_id = span.viewer_id) end, 'null') || ']', ',') || ']' as lines,
array_agg(m.user_id) || array_agg(p.user_id) as named from messages m left join messages p on p.id = m.reply_to_id
    where m.group_chat_id = span.chat_id and m.sequence between span.first and span.last) found)
select told.n, told.lines,  reached.marks, (
  select json_agg(person)::text from (
    select "users"."id", "users"."first_name", "users"."middle_name", "users"."last_name", "users"."username", "users"."visible", "users"."avatar_media_id" from users
    where users.id = any(reached.by || told.named)) person) as persons
from told left join lateral (
  select json_agg(mark)::text as marks, array_agg(mark.user_id) as by from (
    select s.user_id, s.seen_sequence from seen_marks s
    where s.group_chat_id = told.chat_id and s.seen_sequence >= told.low and not exists (select from users hiding where hiding.id = s.user_id and hiding.hides_seen)
    order by s.seen_sequence desc, s.user_id limit 101
  ) mark
) reached on true;
