-- The log of everything that a viewer may be told. A row is written in the transaction of its act; readers go through it
-- by (xid, id) and never past the oldest transaction still running: by id alone a slow commit would be skipped for ever.
create table changes (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  -- Who is told: everybody in the event, its organizers, or one user.
  audience text not null check (audience in ('event', 'organizers', 'user')),
  event_id bigint,
  user_id bigint,
  -- Who did it: never notified of it.
  actor_id bigint not null,
  -- The message, photo, comment, chat, event or user that it is about.
  subject_id bigint not null,
  -- What could not be read again later, such as whose reaction it was.
  detail jsonb,
  created_at timestamptz not null default now()
);
create index changes_in_order on changes (xid, id);
create index changes_of_event on changes (event_id, xid, id) where event_id is not null;
create index changes_of_user on changes (user_id, xid, id) where user_id is not null;

-- A change that may ring: taken once by whichever process is free, in the transaction that writes the notifications.
create table unnotified_changes (
  change_id bigint primary key references changes on delete cascade,
  -- One that fails waits longer each time, so that it holds up nobody else.
  tries smallint not null default 0,
  due_at timestamptz not null default now()
);

create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  kind text not null,
  actor_id bigint not null,
  event_id bigint,
  subject_id bigint,
  -- A burst with one tag is one notification while it is unread.
  tag text not null,
  title text not null,
  body text not null,
  link text not null,
  count integer not null default 1,
  reason text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When it is to ring, and the change whose job does it; null when no ring is due.
  ring_at timestamptz,
  ring_change_id bigint,
  rung_at timestamptz,
  read_at timestamptz,
  -- What it is about was deleted, or is no business of the user's any more.
  withdrawn_at timestamptz
);
create unique index notifications_burst on notifications (user_id, tag) where read_at is null and withdrawn_at is null;
create index notifications_newest on notifications (user_id, updated_at desc, id desc) where withdrawn_at is null;
create index notifications_subject on notifications (kind, subject_id) where read_at is null and withdrawn_at is null;
create index notifications_updated_at on notifications (updated_at);

-- What became of a notification on each device: the trace that people can read.
create table deliveries (
  notification_id bigint not null references notifications on delete cascade,
  device_row bigint not null,
  device_id text not null,
  platform text not null,
  way text not null check (way in ('channel', 'push', 'none')),
  state text not null check (state in ('waiting', 'sent', 'acknowledged', 'delivered', 'failed', 'skipped')),
  -- Why this way, and what came of it, in sentences.
  reason text not null,
  outcome text,
  tries smallint not null default 0,
  -- How often a process died while sending it.
  interruptions smallint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (notification_id, device_row, way)
);

-- Where push reaches a device: { platform, subscription } or { platform, token }. Gone with the session.
create table push_addresses (
  device_row bigint primary key references devices on delete cascade,
  address jsonb not null,
  -- SHA-256 of the endpoint or token: what reaches one phone belongs to whoever registered it last.
  fingerprint bytea not null unique,
  updated_at timestamptz not null default now()
);
