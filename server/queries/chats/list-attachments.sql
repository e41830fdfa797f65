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
  left join videos v on v.media_id = picture.id
  where a.group_chat_id = $1 and a.deleted_at is null and a.hidden_at is null and a.sequence <= (
  with parent as (select (select last_attachment_sequence from group_chats where id = $2) as last), counted as (
    select block, (sum(gaps) over (order by block desc))::bigint as gaps, last from (
  select block, sum(gaps)::bigint as gaps from (
    select block, gaps from sequence_gaps where list = $3 and parent_id = $4 union all select (sequence - 1) / 512, 1 from (select sequence from attachments
    where group_chat_id = $5 and deleted_at is null and hidden_at is not null) unseen
  ) both_kinds group by block) gaps_of, parent
  ), arrived as (
    select (select last from parent) - $6::bigint - coalesce(max(gaps) filter (where not last - block * 512 - gaps > $7::bigint), 0) as place,
      (max(block) filter (where last - block * 512 - gaps > $8::bigint) + 1) * 512 as wall
    from counted
  ), walled as (
    select place, case when wall > (select last from parent) then (select last from parent) else wall end as wall
    from arrived
  ), start as (select greatest(place, wall) as upto, greatest(place, wall) - place as walk from walled)
  select sequence from attachments where group_chat_id = $9 and deleted_at is null and hidden_at is null and sequence <= (select upto from start)
    and sequence > (select upto from start) - 512
  order by sequence desc offset (select walk from start) limit 1)
  order by a.sequence desc limit $10;
