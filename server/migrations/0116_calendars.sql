-- The calendar of all of somebody's events, under an address that nobody else knows: as with links, the table holds a
-- hash of its code and what it is derived from, but not the key.
create table calendar_feeds (
  user_id bigint primary key references users on delete cascade,
  nonce bytea not null,
  code_hash bytea not null unique,
  created_at timestamptz not null default now()
);

-- Calendars replace an event by one of a higher number: it rises with whatever they show.
alter table events add column revision integer not null default 0;

create function raise_event_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger events_revision
  before update of name, description, starts_at, ends_at, timezone, location, status on events for each row
  when ((old.name, old.description, old.starts_at, old.ends_at, old.timezone, old.location, old.status) is distinct from
    (new.name, new.description, new.starts_at, new.ends_at, new.timezone, new.location, new.status))
  execute function raise_event_revision();
