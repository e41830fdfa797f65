-- The event that this one repeats.
alter table events add column again_of bigint references events (id);
