with used as (
  select d.id, now() - u.ms_ago * interval '1 millisecond' as at
  from unnest($1::bigint[], $2::float8[])
    u (id, ms_ago) join devices d on d.id = u.id
  where d.last_used_at < now() - u.ms_ago * interval '1 millisecond'
  order by d.id for no key update of d skip locked
)
update devices d set last_used_at = used.at from used where d.id = used.id;
