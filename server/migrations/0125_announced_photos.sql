-- Photos of the album that an announcement shows.
alter table announcements add column photo_ids bigint[] not null default '{}';
