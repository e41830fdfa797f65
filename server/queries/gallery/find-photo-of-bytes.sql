select p.id
from (
  with originals as materialized (
    select m.id as media_id, m.original_sha256 as sha256, false as plays from media m
    where m.event_id = $1 and m.original_sha256 = any($2::text[]) and not exists (select from videos v where v.media_id = m.id)
    union all
    select m.id, m.upload_sha256, false from media m
    where m.event_id = $3 and m.upload_sha256 = any($4::text[]) and not exists (select from videos v where v.media_id = m.id)
    union all
    select m.id, (m.variants -> 'raw' ->> 'sha256'), false from media m where m.event_id = $5 and (m.variants -> 'raw' ->> 'sha256') = any($6::text[])
    union all
    select m.id, (m.variants -> 'live' ->> 'sha256'), false from media m where m.event_id = $7 and (m.variants -> 'live' ->> 'sha256') = any($8::text[])
    union all
    select v.media_id, v.original_sha256, true from videos v where v.original_sha256 = any($9::text[])
  ) select * from originals
) o join photos p on p.media_id = o.media_id
where (p.event_id + 0) = $10 and p.deleted_at is null and o.plays = $11 and true
order by p.taken_by = $12 desc, p.id limit 1 for share of p;
