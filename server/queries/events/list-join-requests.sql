select page.* from (
  select e.id from events e
  join members m on m.event_id = e.id and m.user_id = $1 and m.role in ('owner', 'organizer')
  where e.id = $2 and e.deleted_at is null limit 1
) organized cross join lateral (
  select u.id, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending, r.sequence
  from (select user_id, sequence from join_requests where event_id = $3 and status = 'asked' and sequence >= (
with counted as (
  select block, (sum(gaps) over (order by block))::bigint as gaps from (select block, gaps from sequence_gaps where list = $4 and parent_id = $5) gaps_of
), arrived as (
  select $6::bigint + coalesce(max(gaps) filter (where not (block + 1) * 512 - gaps > $7::bigint), 0) as place,
    min(block) filter (where (block + 1) * 512 - gaps > $8::bigint) * 512 as wall
  from counted
), start as (select least(place, wall) as after, place - least(place, wall) as walk from arrived)
select sequence from join_requests where event_id = $9 and status = 'asked' and sequence > (select after from start)
  and sequence <= (select after from start) + 512
order by sequence offset (select walk from start) limit 1) order by sequence limit 51) r
  join users u on u.id = r.user_id
) page order by page.sequence;
