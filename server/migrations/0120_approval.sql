-- Whether photos by guests are seen at once, or wait until somebody approves them: before the wall, or before the album.
alter table events add column photo_approval text not null default 'none'
  check (photo_approval in ('none', 'wall', 'album'));

-- A photo that waits before the album is hidden as well, so that it is nowhere else.
alter table photos add column waits boolean not null default false;
create index photos_waiting on photos (event_id, sequence) where waits and deleted_at is null;
