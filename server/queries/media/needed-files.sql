  select distinct sha256 from (
      select unnest(media_hashes(o.original_sha256, o.variants)) as sha256 from media o
      where media_hashes(o.original_sha256, o.variants) && $1::text[] and
(o.removed_at is null or o.removed_at > now() - interval '31 days')
and not exists (select from events e where e.id = o.event_id and e.deleted_at <= now() - interval '31 days') union all
      select unnest(array[v.original_sha256]) as sha256 from media o join videos v on v.media_id = o.id
      where array[v.original_sha256] && $2::text[] and
(o.removed_at is null or o.removed_at > now() - interval '31 days')
and not exists (select from events e where e.id = o.event_id and e.deleted_at <= now() - interval '31 days')
    union all select sha256 from upload_parts where sha256 = any($3::text[])
  ) named where sha256 = any($4::text[]);
