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
) photo) order by p.sequence desc) as photos,
    array_agg(distinct p.taken_by) as taken_by
  from (
  select * from photos p
  where p.event_id = $5 and p.taken_by = $6  and p.deleted_at is null and (p.hidden_at is null and gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $7
  or gallery.standing in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody')
    and p.sequence <= (select sequence from photos p where p.event_id = $8 and p.deleted_at is null and (p.hidden_at is null and gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $9
  or gallery.standing in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody') and p.taken_by = $10  order by sequence desc offset $11 limit 1)
  order by p.sequence desc limit 51) p
) all_of) page;
