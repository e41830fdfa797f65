select all_of.photos, (
  select json_agg(taker) from (
    select u.id, u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending from users u where u.id = any(all_of.taken_by)
  ) taker) as takers
from (
  select json_agg((
select to_json(photo) from (
  select "p"."id", "p"."event_id", "p"."media_id", "p"."taken_by", "p"."picture_epoch", "p"."plays", "p"."endings", "p"."likes_count", "p"."comments_count", "p"."created_at", "p"."updated_at", "p"."approved_name", p.likes_count > 0 and (
    select true from photo_likes l where l.photo_id = p.id and l.user_id = $1) is not null as liked
) photo) order by p.moment desc, p.id desc) as photos,
    array_agg(distinct p.taken_by) as taken_by
  from (
    select p.* from (
  select moment, id from (
    select quarter, upto - photos as before from (
      select quarter, photos, sum(photos) over (order by quarter desc) as upto
      from (
select quarter, photos - coalesce(hidden, 0) as photos from photo_quarters left join (
  select floor(extract(epoch from moment) / 900)::bigint as quarter, count(*) as hidden
  from (
  select p.moment from photos p
  where p.event_id = $2 and p.hidden_at is not null and p.deleted_at is null and not (p.hidden_at is null and true and (not p.waits or true) or p.taken_by = $3
  or false and p.sealed_from is distinct from 'everybody')
  union all
  select p.moment from photos p
  where p.event_id = $4 and p.waits and p.hidden_at is null and not true and p.deleted_at is null and not (p.hidden_at is null and true and (not p.waits or true) or p.taken_by = $5
  or false and p.sealed_from is distinct from 'everybody')) each group by 1
) unseen using (quarter)
where event_id = $6 and photos > coalesce(hidden, 0)) seen
    ) counts where upto > $7::bigint order by quarter desc limit 1
  ) reached, lateral (
    select p.moment, p.id from photos p where p.event_id = $8 and p.deleted_at is null and (p.hidden_at is null and true and (not p.waits or true) or p.taken_by = $9
  or false and p.sealed_from is distinct from 'everybody')
      and p.moment >= to_timestamp(reached.quarter * 900) and p.moment < to_timestamp((reached.quarter + 1) * 900)
    order by p.moment desc, p.id desc offset $10::bigint - reached.before limit 1
  ) found) start, lateral (
      select * from photos p where p.event_id = $11 and p.deleted_at is null and (p.hidden_at is null and true and (not p.waits or true) or p.taken_by = $12
  or false and p.sealed_from is distinct from 'everybody') and (p.moment, p.id) <= (start.moment, start.id)
      order by p.moment desc, p.id desc limit 51
    ) p) p
) all_of;
