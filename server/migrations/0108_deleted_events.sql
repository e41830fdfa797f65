-- An event is deleted for thirty days before it is erased; then nothing of what was said or shown in it is left.
alter table events add column erased_at timestamptz;
create index events_to_erase on events (deleted_at) where deleted_at is not null and erased_at is null;

-- What the operator decided about an event: it is taken out of the lists, or deleted.
alter table events add column barred text check (barred in ('unlisted', 'deleted'));
