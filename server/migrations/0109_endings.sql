-- What the addresses of a photo's files end in: its full size and its preview.
alter table photos add column endings text not null default 'jpg jpg';

update photos p set endings =
  case coalesce(m.variants #>> '{full,type}', m.original_type)
    when 'image/png' then 'png' when 'image/webp' then 'webp' when 'image/gif' then 'gif' else 'jpg' end
  || case m.variants #>> '{preview,type}' when 'image/webp' then ' webp' else ' jpg' end
from media m
where m.id = p.media_id
  and (m.original_type in ('image/png', 'image/webp', 'image/gif') or m.variants #>> '{preview,type}' = 'image/webp');
