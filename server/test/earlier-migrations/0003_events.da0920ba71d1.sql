create table events (
  id bigint generated always as identity primary key,
  name text not null,
  description text,
  starts_at timestamptz not null,
  ends_at timestamptz,
  timezone text not null,
  location text,
  visibility smallint not null default 1 check (visibility between 1 and 3),
  join_mode smallint not null default 2 check (join_mode between 1 and 3),
  status smallint not null default 1 check (status between 1 and 2),
  attachments_to_album boolean not null default true,
  avatar_media_id bigint references media,
  guests_count integer not null default 0,
  -- Rises when someone loses access: every media URL signed under an earlier epoch is dead.
  media_epoch integer not null default 0,
  created_by bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index events_public on events (starts_at, id) where visibility = 1 and deleted_at is null;

alter table media add foreign key (event_id) references events;

create table group_chats (
  id bigint generated always as identity primary key,
  event_id bigint not null unique references events,
  status smallint not null default 1 check (status between 1 and 3),
  -- The sequence of the newest message; the row's lock gives the chat its one order.
  last_sequence bigint not null default 0,
  last_message_id bigint,
  last_activity_at timestamptz not null default now(),
  -- Rises with every change that a page of this chat's messages would show.
  version bigint not null default 0,
  created_at timestamptz not null default now()
);

-- Everybody who is or was in an event; a row is never deleted, so that a removal is remembered.
create table guests (
  event_id bigint not null references events,
  user_id bigint not null references users,
  organizer boolean not null default false,
  joined_at timestamptz not null default now(),
  -- The chat's last sequence when they joined: nothing up to it counts as unread.
  joined_sequence bigint not null default 0,
  photos_count integer not null default 0,
  ended_at timestamptz,
  removed boolean not null default false,
  primary key (event_id, user_id)
);
create index guests_user on guests (user_id, event_id) where ended_at is null;
create index guests_in_order on guests (event_id, organizer desc, joined_at, user_id) where ended_at is null;

create table join_requests (
  event_id bigint not null references events,
  user_id bigint not null references users,
  status text not null check (status in ('asked', 'approved', 'rejected', 'withdrawn')),
  asked_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by bigint references users,
  primary key (event_id, user_id)
);
create index join_requests_waiting on join_requests (event_id, asked_at, user_id) where status = 'asked';

create table invitations (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  user_id bigint not null references users,
  invited_by bigint not null references users,
  status text not null default 'open' check (status in ('open', 'accepted', 'declined')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (event_id, user_id)
);
create index invitations_open on invitations (user_id, created_at desc, id desc) where status = 'open';

-- What a user is to an event, defined once: at most one row for a pair; no row means none.
create view standings as
select event_id, user_id, case when organizer then 'organizer' else 'guest' end as standing
from guests where ended_at is null
union all
select r.event_id, r.user_id, 'asked'
from join_requests r
where r.status = 'asked'
  and not exists (select from guests g where g.event_id = r.event_id and g.user_id = r.user_id and g.ended_at is null)
union all
select g.event_id, g.user_id, 'removed'
from guests g
where g.ended_at is not null and g.removed
  and not exists (
    select from join_requests r where r.event_id = g.event_id and r.user_id = g.user_id and r.status = 'asked'
  );
