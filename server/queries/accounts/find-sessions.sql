select h.n, s.id, s.user_id, u.link_epoch, case when u.status in (5, 6) then 'link ' || u.came_by end as crowd,
  u.status = 5 as is_guest, u.status = 6 as is_viewer,
  u.came_to_add and u.status = 5 as came_to_add,
  u.created_at > now() - interval '1 day' as is_new, extract(epoch from s.ends - now())::float8 * 1000 as ms_left
from unnest($1::bytea[]) with ordinality h (token_hash, n), lateral (
  select d.id, d.user_id, d.token_expires_at as ends from devices d where d.token_hash = h.token_hash
  union all
  select d.id, d.user_id, d.previous_token_expires_at from devices d where d.previous_token_hash = h.token_hash
  limit 1
) s join users u on u.id = s.user_id
where s.ends > now() and u.status <> 3;
