  select gallery.media_epoch, gallery.standing, page.lines, page.takers from (
    select e.media_epoch, viewing.standing from events e
join members viewing on viewing.event_id = e.id and viewing.user_id = $1
  and
not exists (select from users suspended where suspended.id = $2 and suspended.status = 3)
    where e.id = $3 and e.deleted_at is null limit 1
  ) gallery cross join lateral (
select all_of.lines, (
  select json_agg(taker) from (
    select u.id, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id from users u where u.id = any(all_of.taken_by)
  ) taker) as takers
from (
  select '[' || string_agg(
'[' || p.line || ',' || (p.likes_count > 0
  and (select true from photo_likes l where l.photo_id = p.id and l.user_id = $4) is not null)::text || ']', ',' order by p.sequence desc) || ']' as lines, array_agg(distinct p.taken_by) as taken_by
  from (
  select * from photos p
  where p.event_id = $5  and p.deleted_at is null and (p.hidden_at is null or p.taken_by = $6 or gallery.standing = 'organizer')
    and p.sequence <= (
  with parent as (select (select last_sequence from galleries where event_id = $7) as last), counted as (
    select block, (sum(gaps) over (order by block desc))::bigint as gaps, last from (
  select block, sum(gaps)::bigint as gaps from (
    select block, gaps from sequence_gaps where list = $8 and parent_id = $9 union all select (sequence - 1) / 512, 1 from (select p.sequence from photos p where p.event_id = $10 and p.hidden_at is not null
  and p.deleted_at is null and not (p.hidden_at is null or p.taken_by = $11 or gallery.standing = 'organizer')) unseen
  ) both_kinds group by block) gaps_of, parent
  ), arrived as (
    select (select last from parent) - $12::bigint - coalesce(max(gaps) filter (where not last - block * 512 - gaps > $13::bigint), 0) as place,
      (max(block) filter (where last - block * 512 - gaps > $14::bigint) + 1) * 512 as wall
    from counted
  ), walled as (
    select place, case when wall > (select last from parent) then (select last from parent) else wall end as wall
    from arrived
  ), start as (select greatest(place, wall) as upto, greatest(place, wall) - place as walk from walled)
  select sequence from photos p where p.event_id = $15 and p.deleted_at is null and (p.hidden_at is null or p.taken_by = $16 or gallery.standing = 'organizer') and sequence <= (select upto from start)
    and sequence > (select upto from start) - 512
  order by sequence desc offset (select walk from start) limit 1)
  order by p.sequence desc limit 51) p
) all_of) page;
