select page.*, proof.photo_taken_by, proof.standing, exists (select from blocks b where b.blocker_id = $1 and b.blocked_id = page.user_id) as blocked
from (
select p.taken_by as photo_taken_by, viewing.role as standing
from comments t left join comments above on above.id = t.parent_id join photos p on p.id = t.photo_id join events e on e.id = p.event_id and e.deleted_at is null
join seats viewing on viewing.event_id = e.id and viewing.user_id = $2
  and viewing.role in ('owner', 'organizer', 'guest', 'absent', 'drop', 'look', 'look_chat', 'screen', 'screen_chat') and
not exists (select from users suspended where suspended.id = $3 and suspended.status = 3)
where p.deleted_at is null and (viewing.role in ('owner', 'organizer', 'guest', 'look', 'look_chat') or p.taken_by = $4) and (p.hidden_at is null and viewing.role in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or viewing.role in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $5
  or viewing.role in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody') and t.id = $6 and t.deleted_at is null and (t.hidden_at is null and ("viewing"."role" in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') or "p"."taken_by" = $7)  or t.user_id = $8
  or "viewing"."role" in ('owner', 'organizer') )
  and (above.id is null or (above.hidden_at is null and ("viewing"."role" in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') or "p"."taken_by" = $9)  or above.user_id = $10
  or "viewing"."role" in ('owner', 'organizer') )) limit 1) proof cross join lateral (
  select u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending, r.id, r.user_id, r.created_at, r.updated_at, r.sequence
  from comment_reactions r join users u on u.id = r.user_id
  where r.comment_id = $11 and r.sequence <= (
  with parent as (select (select last_reaction_sequence from comments where id = $12) as last), counted as (
    select block, (sum(gaps) over (order by block desc))::bigint as gaps, last from (select block, gaps from sequence_gaps where list = $13 and parent_id = $14) gaps_of, parent
  ), arrived as (
    select (select last from parent) - $15::bigint - coalesce(max(gaps) filter (where not last - block * 512 - gaps > $16::bigint), 0) as place,
      (max(block) filter (where last - block * 512 - gaps > $17::bigint) + 1) * 512 as wall
    from counted
  ), walled as (
    select place, case when wall > (select last from parent) then (select last from parent) else wall end as wall
    from arrived
  ), start as (select greatest(place, wall) as upto, greatest(place, wall) - place as walk from walled)
  select sequence from comment_reactions where comment_id = $18 and sequence <= (select upto from start)
    and sequence > (select upto from start) - 512
  order by sequence desc offset (select walk from start) limit 1)
  order by r.sequence desc limit 51) page order by page.sequence desc;
