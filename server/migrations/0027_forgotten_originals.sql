-- Its owner has left: what was uploaded was replaced by what has no place and no camera in it.
alter table media add column original_forgotten boolean not null default false;
create index media_unread on media (id) where full_size is null and removed_at is null;
