  with gallery as materialized (
  select e.id as event_id, e.status, e.media_epoch,
coalesce((select m.role from seats m
  where m.event_id = e.id and m.user_id = $1 and
not exists (select from users suspended where suspended.id = $2 and suspended.status = 3) limit 1), 'none') as standing,
    coalesce(g.photos_count, 0) as photos_count, case when g.photographs_by is null then coalesce(g.photos_max, e.photos_per_guest)
else greatest(5000, g.photos_max, e.photos_per_guest) end as photos_max
  from events e left join guests g on g.event_id = e.id and g.user_id = $3
  where e.id = $4 and e.deleted_at is null)
  select gallery.*, (
  select p.id
  from (
    with originals as materialized (
      select m.id as media_id, m.original_sha256 as sha256, false as plays from media m
      where m.event_id = $5 and m.original_sha256 = any($6::text[]) and not exists (select from videos v where v.media_id = m.id)
      union all
      select m.id, m.upload_sha256, false from media m
      where m.event_id = $7 and m.upload_sha256 = any($8::text[]) and not exists (select from videos v where v.media_id = m.id)
      union all
      select m.id, (m.variants -> 'raw' ->> 'sha256'), false from media m where m.event_id = $9 and (m.variants -> 'raw' ->> 'sha256') = any($10::text[])
      union all
      select m.id, (m.variants -> 'live' ->> 'sha256'), false from media m where m.event_id = $11 and (m.variants -> 'live' ->> 'sha256') = any($12::text[])
      union all
      select v.media_id, v.original_sha256, true from videos v where v.original_sha256 = any($13::text[])
    ) select * from originals
  ) o join photos p on p.media_id = o.media_id
  where (p.event_id + 0) = $14 and p.deleted_at is null and o.plays = $15 and (p.hidden_at is null and gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or gallery.standing in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $16
  or gallery.standing in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody')
  order by p.taken_by = $17 desc, p.id limit 1 for share of p) as before, exists (
  select p.taken_by = $18 as mine
  from (
    with originals as materialized (
      select m.id as media_id, m.original_sha256 as sha256, false as plays from media m
      where m.event_id = $19 and m.original_sha256 = any($20::text[]) and not exists (select from videos v where v.media_id = m.id)
      union all
      select m.id, m.upload_sha256, false from media m
      where m.event_id = $21 and m.upload_sha256 = any($22::text[]) and not exists (select from videos v where v.media_id = m.id)
      union all
      select m.id, (m.variants -> 'raw' ->> 'sha256'), false from media m where m.event_id = $23 and (m.variants -> 'raw' ->> 'sha256') = any($24::text[])
      union all
      select m.id, (m.variants -> 'live' ->> 'sha256'), false from media m where m.event_id = $25 and (m.variants -> 'live' ->> 'sha256') = any($26::text[])
      union all
      select v.media_id, v.original_sha256, true from videos v where v.original_sha256 = any($27::text[])
    ) select * from originals
  ) o join photos p on p.media_id = o.media_id
  where (p.event_id + 0) = $28
    and (p.hidden_at is not null and p.sealed_from is null and not p.waits or p.deleted_at is not null and p.taken_down)
    and p.id <> $29
  order by mine desc limit 1) as down,
    (
  select greatest(
    count(*) filter (where s.kind = 'image') + (coalesce($30::text, '') = 'image')::int,
    count(*) filter (where s.kind = 'video') + (coalesce($31::text, '') = 'video')::int)
  from upload_sessions s
  where s.event_id = $32 and s.user_id = $33 and s.used_at is null and s.touched_at >= now() - make_interval(hours => case when s.received = 0 then 1 else $34 end)
    and s.id <> all($35::uuid[])) as places_held
  from gallery;
