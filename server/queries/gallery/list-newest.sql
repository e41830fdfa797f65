  select gallery.media_epoch, gallery.standing, page.* from (
    select e.media_epoch, viewing.role as standing from events e
join seats viewing on viewing.event_id = e.id and viewing.user_id = $1
  and viewing.role in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and
not exists (select from users suspended where suspended.id = $2 and suspended.status = 3)
    where e.id = $3 and e.deleted_at is null limit 1
  ) gallery cross join lateral (
select all_of.photos, (
  select json_agg(taker) from (
    select u.id, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending from users u where u.id = any(all_of.taken_by)
  ) taker) as takers
from (
  select json_agg((
select to_json(photo) from (
  select "p"."id", "p"."event_id", "p"."media_id", "p"."taken_by", "p"."picture_epoch", "p"."plays", "p"."endings", "p"."likes_count", "p"."comments_count", "p"."created_at", "p"."updated_at", "p"."approved_name", p.likes_count > 0 and (
    select true from photo_likes l where l.photo_id = p.id and l.user_id = $4) is not null as liked
    , details from (
select p.caption, p.alt_text, p.new_words, p.hidden_at is not null as hidden, p.waits and not p.off_wall as waits, p.off_wall, p.sealed_from is not null as sealed, p.by_photographer,
  case when p.same_as is not null
    then (select s.id from photos s where s.id = p.same_as and s.deleted_at is null) end as same_as,
picture.id as media_id, picture.file_name, picture.original_type, (picture.full_size ->> 'bytes')::bigint as full_bytes,
picture.full_size -> 'incomplete' is not null as incomplete, picture.variants -> 'full' as whole,
picture.variants -> 'video' as film, picture.variants -> 'source' as film_source, picture.variants -> 'raw' as raw, picture.variants -> 'live' as live,
picture.variants -> 'motion' is not null as moves, picture.variants #>> '{display,type}' as display_type,
picture.variants #>> '{preview,type}' as preview_type, picture.width, picture.height, picture.thumbhash, picture.taken_at, picture.latitude, picture.longitude,
  v.state, v.progress, v.duration_ms, v.fault
from media picture left join videos v on v.media_id = picture.id where picture.id = p.media_id) details
) photo) order by p.sequence desc) as photos,
    array_agg(distinct p.taken_by) as taken_by
  from (
  select * from photos p
  where p.event_id = $5   and p.deleted_at is null and (p.hidden_at is null and gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $6
  or gallery.standing in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody')
    and p.sequence <= (
  with parent as (select (select last_sequence from galleries where event_id = $7) as last), counted as (
    select block, (sum(gaps) over (order by block desc))::bigint as gaps, last from (
  select block, sum(gaps)::bigint as gaps from (
    select block, gaps from sequence_gaps where list = $8 and parent_id = $9 union all select (sequence - 1) / 512, 1 from (
  select p.sequence from photos p
  where p.event_id = $10 and p.hidden_at is not null and p.deleted_at is null and not (p.hidden_at is null and gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $11
  or gallery.standing in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody')
  union all
  select p.sequence from photos p
  where p.event_id = $12 and p.waits and p.hidden_at is null and not gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat') and p.deleted_at is null and not (p.hidden_at is null and gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $13
  or gallery.standing in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody')) unseen
  ) both_kinds group by block) gaps_of, parent
  ), arrived as (
    select (select last from parent) - $14::bigint - coalesce(max(gaps) filter (where not last - block * 512 - gaps > $15::bigint), 0) as place,
      (max(block) filter (where last - block * 512 - gaps > $16::bigint) + 1) * 512 as wall
    from counted
  ), walled as (
    select place, case when wall > (select last from parent) then (select last from parent) else wall end as wall
    from arrived
  ), start as (select greatest(place, wall) as upto, greatest(place, wall) - place as walk from walled)
  select sequence from photos p where p.event_id = $17 and p.deleted_at is null and (p.hidden_at is null and gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $18
  or gallery.standing in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody') and sequence <= (select upto from start)
    and sequence > (select upto from start) - 512
  order by sequence desc offset (select walk from start) limit 1)
  order by p.sequence desc limit 51) p
) all_of) page;
