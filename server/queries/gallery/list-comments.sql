select page.*, proof.photo_taken_by, proof.standing, exists (select from blocks b where b.blocker_id = $1 and b.blocked_id = page.user_id) as blocked
from (
select p.taken_by as photo_taken_by, viewing.role as standing
from photos p join events e on e.id = p.event_id and e.deleted_at is null
join seats viewing on viewing.event_id = e.id and viewing.user_id = $2
  and viewing.role in ('owner', 'organizer', 'guest', 'absent', 'drop', 'look', 'look_chat', 'screen', 'screen_chat') and
not exists (select from users suspended where suspended.id = $3 and suspended.status = 3)
where p.deleted_at is null and (viewing.role in ('owner', 'organizer', 'guest', 'look', 'look_chat') or p.taken_by = $4) and (p.hidden_at is null and viewing.role in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or viewing.role in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $5
  or viewing.role in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody') and p.id = $6 limit 1) proof cross join lateral (
  select
u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending, c.id, c.photo_id, c.parent_id, c.user_id, c.text, c.replies_count, c.edited_at, c.created_at, c.updated_at,
c.hidden_at, c.sequence from comments c join users u on u.id = c.user_id
  where c.photo_id = $7 and c.parent_id is null and c.deleted_at is null and (c.hidden_at is null and ("proof"."standing" in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') or "proof"."photo_taken_by" = $8)  or c.user_id = $9
  or "proof"."standing" in ('owner', 'organizer') ) and c.sequence <= (
  with parent as (select (select last_comment_sequence from photos where id = $10) as last), counted as (
    select block, (sum(gaps) over (order by block desc))::bigint as gaps, last from (
  select block, sum(gaps)::bigint as gaps from (
    select block, gaps from sequence_gaps where list = $11 and parent_id = $12 union all select (sequence - 1) / 512, 1 from (select c.sequence from comments c where c.photo_id = $13 and c.parent_id is null and c.hidden_at is not null and c.deleted_at is null and not (c.hidden_at is null and ("proof"."standing" in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') or "proof"."photo_taken_by" = $14)  or c.user_id = $15
  or "proof"."standing" in ('owner', 'organizer') )) unseen
  ) both_kinds group by block) gaps_of, parent
  ), arrived as (
    select (select last from parent) - $16::bigint - coalesce(max(gaps) filter (where not last - block * 512 - gaps > $17::bigint), 0) as place,
      (max(block) filter (where last - block * 512 - gaps > $18::bigint) + 1) * 512 as wall
    from counted
  ), walled as (
    select place, case when wall > (select last from parent) then (select last from parent) else wall end as wall
    from arrived
  ), start as (select greatest(place, wall) as upto, greatest(place, wall) - place as walk from walled)
  select sequence from comments c where c.photo_id = $19 and c.parent_id is null and c.deleted_at is null and (c.hidden_at is null and ("proof"."standing" in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') or "proof"."photo_taken_by" = $20)  or c.user_id = $21
  or "proof"."standing" in ('owner', 'organizer') ) and sequence <= (select upto from start)
    and sequence > (select upto from start) - 512
  order by sequence desc offset (select walk from start) limit 1)
  order by c.sequence desc limit 51) page order by page.sequence desc;
