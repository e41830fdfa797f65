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
  select
u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending, c.id, c.photo_id, c.parent_id, c.user_id, c.text, c.replies_count, c.edited_at, c.created_at, c.updated_at,
c.hidden_at, c.sequence from comments c join users u on u.id = c.user_id
  where c.parent_id = $11 and c.deleted_at is null and (c.hidden_at is null and ("proof"."standing" in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') or "proof"."photo_taken_by" = $12)  or c.user_id = $13
  or "proof"."standing" in ('owner', 'organizer') ) and c.sequence >= (
  with counted as (
    select block, (sum(gaps) over (order by block))::bigint as gaps from (
  select block, sum(gaps)::bigint as gaps from (
    select block, gaps from sequence_gaps where list = $14 and parent_id = $15 union all select (sequence - 1) / 512, 1 from (select c.sequence from comments c where c.parent_id = $16 and c.hidden_at is not null and c.deleted_at is null and not (c.hidden_at is null and ("proof"."standing" in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') or "proof"."photo_taken_by" = $17)  or c.user_id = $18
  or "proof"."standing" in ('owner', 'organizer') )) unseen
  ) both_kinds group by block) gaps_of
  ), arrived as (
    select $19::bigint + coalesce(max(gaps) filter (where not (block + 1) * 512 - gaps > $20::bigint), 0) as place,
      min(block) filter (where (block + 1) * 512 - gaps > $21::bigint) * 512 as wall
    from counted
  ), start as (select least(place, wall) as after, place - least(place, wall) as walk from arrived)
  select sequence from comments c where c.parent_id = $22 and c.deleted_at is null and (c.hidden_at is null and ("proof"."standing" in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') or "proof"."photo_taken_by" = $23)  or c.user_id = $24
  or "proof"."standing" in ('owner', 'organizer') ) and sequence > (select after from start)
    and sequence <= (select after from start) + 512
  order by sequence offset (select walk from start) limit 1)
  order by c.sequence limit 51) page order by page.sequence;
