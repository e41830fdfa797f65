-- When the start of an event was last decided: what lies before is no moment to remind anybody of it.
alter table events add planned_at timestamptz not null default now();
create index events_starting on events (starts_at) where status = 1 and deleted_at is null;
create index events_ended on events (over_at) where status = 1 and deleted_at is null;

-- What the clock told of an event, and of which start or end: each once, also of an event that is moved away and back.
create table told_moments (
  event_id bigint not null references events on delete cascade,
  kind text not null check (kind in ('day', 'hours', 'recap')),
  moment timestamptz not null,
  told_at timestamptz not null default now(),
  primary key (event_id, kind, moment)
);

-- Photos that nobody has been told of yet; a row goes when they are told.
create table untold_photos (
  photo_id bigint primary key references photos on delete cascade,
  event_id bigint not null references events on delete cascade,
  -- Those who want to hear of photos at once have.
  told_at_once boolean not null default false,
  added_at timestamptz not null
);
create index untold_photos_event on untold_photos (event_id);

-- When an event's photos were last told.
alter table galleries add photos_told_at timestamptz;

-- Since when an organizer hears of new photos at once; null: once an hour, like everybody.
alter table event_notification_settings add photos_at_once_since timestamptz;
