-- What an organizer tells everybody in an event.
create table announcements (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  user_id bigint not null references users,
  text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  withdrawn_at timestamptz
);
create index announcements_event on announcements (event_id, id);
create index announcements_user on announcements (user_id);

create table announcement_reads (
  announcement_id bigint not null references announcements on delete cascade,
  user_id bigint not null references users on delete cascade,
  read_at timestamptz not null default now(),
  primary key (announcement_id, user_id)
);
create index announcement_reads_user on announcement_reads (user_id);
