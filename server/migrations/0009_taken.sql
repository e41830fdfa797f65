-- When and where a picture was taken, as its camera wrote, and what it looks like.
alter table media
  -- As the camera's clock showed it, with its offset from UTC where the camera knew it: 2026-11-20T21:04:11+01:00.
  add column taken_local text,
  -- Shown to the owner alone, and in no file that is served.
  add column latitude double precision,
  add column longitude double precision,
  -- Which way the light falls, as 128 comparisons; null for a picture too plain to be told from others.
  add column look bit(128),
  add check ((latitude is null) = (longitude is null));
create index media_of_event on media (event_id, original_sha256);
drop index media_event;

alter table photos
  -- When it was taken; when it was added, if its camera did not say.
  add column moment timestamptz not null default clock_timestamp(),
  -- That of its media: an album is searched for doubles in one narrow index.
  add column look bit(128),
  -- An earlier photo of the album that looks the same.
  add column same_as bigint references photos;
update photos p set moment = coalesce(m.taken_at, p.created_at) from media m where m.id = p.media_id;
create index photos_by_moment on photos (event_id, moment, id) where deleted_at is null;
create index photos_looks on photos (event_id, id) include (look) where deleted_at is null and look is not null;
create index photos_of_media on photos (media_id);
create index photos_doubles on photos (same_as) where same_as is not null;

-- How many living photos of an event were taken in each quarter of an hour since 1970, so that a deep page in the order
-- of moments walks the photos of one quarter only (gallery/moments-store.ts).
create table photo_quarters (
  event_id bigint not null references events,
  quarter bigint not null,
  photos integer not null,
  primary key (event_id, quarter)
);
insert into photo_quarters (event_id, quarter, photos)
select event_id, floor(extract(epoch from moment) / 900), count(*) from photos where deleted_at is null group by 1, 2;
