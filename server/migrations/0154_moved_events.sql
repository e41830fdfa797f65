-- Beside older processes.
-- Former beginnings of events: an answer is for the beginning at its time.
create table event_moves (
  event_id bigint not null references events (id),
  moved_at timestamptz not null default clock_timestamp(),
  starts_at timestamptz not null,
  primary key (event_id, moved_at)
);

create function note_move() returns trigger language plpgsql as $$
begin
  insert into event_moves (event_id, starts_at) values (old.id, old.starts_at);
  return null;
end $$;
create trigger events_moved after update of starts_at on events
  for each row when (old.starts_at <> new.starts_at) execute function note_move();

-- The beginning for which an answer of that time was given, unless it is the same day at the venue as today's.
create function answered_for(event bigint, answered timestamptz) returns timestamptz language sql stable as $$
  select former.starts_at from events e cross join lateral (
    select m.starts_at from event_moves m where m.event_id = e.id and m.moved_at > answered order by m.moved_at limit 1
  ) former
  where e.id = event
    and (former.starts_at at time zone e.timezone)::date <> (e.starts_at at time zone e.timezone)::date
$$;
