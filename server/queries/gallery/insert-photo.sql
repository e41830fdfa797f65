  with gallery as (
    insert into galleries (event_id, last_sequence) values ($1, 1)
    on conflict (event_id) do update set last_sequence = galleries.last_sequence + 1
    returning last_sequence, clock_timestamp() as at, sealed_from
  ), changed as (
    insert into photos (event_id, sequence, media_id, taken_by, attachment_id, shares_media, caption, alt_text,
      moment, look, plays, created_at, updated_at, picture_epoch, endings, waits, sealed_from,
      hidden_at, by_photographer)
    select $2, last_sequence, $3, $4, $5::bigint,
      $6::bigint is not null, $7, $8,
      coalesce(m.taken_at, at), case when not exists (select from videos v where v.media_id = m.id) then m.look end,
      m.variants ? 'video', at, at, m.epoch,
case coalesce(m.variants #>> '{full,type}', m.original_type)
  when 'image/png' then 'png' when 'image/webp' then 'webp' when 'image/gif' then 'gif' else 'jpg' end
|| case m.variants #>> '{preview,type}' when 'image/webp' then ' webp' else ' jpg' end, waits,
      case when not closed then sealed_from end, case when closed or sealed_from is not null then at end,
      $9 and exists (select from guests g
        where g.event_id = e.id and g.user_id = $10 and g.photographs_by is not null)
    from gallery join media m on m.id = $11 join events e on e.id = $12
    cross join lateral (select (e.photo_approval <> 'none'
and not exists (select from members g
  where g.event_id = e.id and g.user_id = $13 and g.role in ('owner', 'organizer'))
and not exists (select from guests g where g.event_id = e.id and g.user_id = $14 and (g.trusted or exists (
select from event_links l where l.id = g.photographs_by and not l.photos_wait)))) as waits) needs
    cross join lateral (select waits and e.photo_approval = 'album' as closed) album
    on conflict (attachment_id) where deleted_at is null and attachment_id is not null do nothing
    returning id, event_id, moment
  ), quarter as (
insert into photo_quarters (event_id, quarter, photos)
select event_id, floor(extract(epoch from moment) / 900)::bigint, 1 * count(*) from changed group by 1, 2
on conflict (event_id, quarter) do update set photos = photo_quarters.photos + excluded.photos
  ), untold as (
    insert into untold_photos (photo_id, event_id, added_at) select id, event_id, at from changed, gallery
    where sealed_from is null)
  select id from changed;

update galleries set last_sequence = last_sequence - 1 where event_id = $1;
