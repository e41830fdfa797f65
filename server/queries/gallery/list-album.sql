  select f.*, coalesce(f.approved_name, u.first_name) as first_name, s.crc32, r.crc32 as raw_crc32, t.crc32 as moment_crc32 from (
    select p.id, p.sequence, p.hidden_at is not null as hidden, p.media_id, p.taken_by, p.approved_name ->> 'first_name' as approved_name, p.created_at, m.taken_local, m.file_name,
      case when own then coalesce(v.original_sha256, m.original_sha256)
        when scrubbed then m.original_sha256 else shown ->> 'sha256' end as sha256,
      case when own then coalesce(v.original_bytes, m.original_bytes)
        when scrubbed then m.original_bytes else (shown ->> 'bytes')::bigint end as stored_bytes,
      case when own then coalesce(v.original_type, m.original_type)
        when scrubbed then m.original_type else shown ->> 'type' end as type,
      case when scrubbed then m.full_size end as full_size,
      $1 and not own and v.media_id is null and (m.full_size is null
        or (m.full_size ->> 'bytes')::bigint = 0 and not m.variants ? 'full') as unread,
      case when $2 and (p.taken_by = $3 or
coalesce((select m.role from seats m
  where m.event_id = $4::bigint and m.user_id = $5 and
not exists (select from users suspended where suspended.id = $6 and suspended.status = 3) limit 1), 'none') in ('owner', 'organizer')) then m.variants -> 'raw' end as raw,
      case when $7 and (p.taken_by = $8 or
coalesce((select m.role from seats m
  where m.event_id = $9::bigint and m.user_id = $10 and
not exists (select from users suspended where suspended.id = $11 and suspended.status = 3) limit 1), 'none') in ('owner', 'organizer')) and m.variants ? 'live'
        then m.variants -> 'live' when $12 and not own then m.variants -> 'motion' end as moment
    from photos p join media m on m.id = p.media_id left join videos v on v.media_id = p.media_id
    cross join lateral (select coalesce(case when $13 then m.variants -> 'source' end, m.variants -> 'video',
        case when $14 and v.media_id is null then m.variants -> 'full' end, m.variants -> 'display') as shown,
      $15 and m.owner_id = $16 and p.taken_by = $17
        and m.variants -> 'raw' ->> 'sha256' is distinct from m.original_sha256 as own) which
    cross join lateral (select $18 and not own and v.media_id is null
      and coalesce((m.full_size ->> 'bytes')::bigint, 0) > 0 as scrubbed) how
    where p.event_id = $19 and p.sequence > $20 and p.sequence <= $21 and p.deleted_at is null
      and (p.hidden_at is null and
coalesce((select m.role from seats m
  where m.event_id = $22::bigint and m.user_id = $23 and
not exists (select from users suspended where suspended.id = $24 and suspended.status = 3) limit 1), 'none') in ('owner', 'organizer', 'guest', 'look', 'look_chat', 'screen', 'screen_chat') and (not p.waits or
coalesce((select m.role from seats m
  where m.event_id = $25::bigint and m.user_id = $26 and
not exists (select from users suspended where suspended.id = $27 and suspended.status = 3) limit 1), 'none') in ('owner', 'organizer', 'guest', 'look', 'look_chat')) or p.taken_by = $28
  or
coalesce((select m.role from seats m
  where m.event_id = $29::bigint and m.user_id = $30 and
not exists (select from users suspended where suspended.id = $31 and suspended.status = 3) limit 1), 'none') in ('owner', 'organizer') and p.sealed_from is distinct from 'everybody')
      and ($32::bigint is null or p.taken_by = $33)
      and p.id in (select unnest(photo_ids) from album_selections where id = $34)
    order by p.sequence limit $35
  ) f join users u on u.id = f.taken_by left join file_sums s on s.sha256 = f.sha256
    left join file_sums r on r.sha256 = f.raw ->> 'sha256' left join file_sums t on t.sha256 = f.moment ->> 'sha256'
  order by f.sequence;
