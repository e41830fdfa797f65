-- What happens when at an event.
create table programme_entries (
  event_id bigint not null references events on delete cascade,
  position integer not null,
  -- After the beginning of the event, with which it moves.
  starts_after_ms bigint not null,
  ends_after_ms bigint check (ends_after_ms > starts_after_ms),
  title text not null,
  place text,
  primary key (event_id, position)
);
