-- How somebody wants to be rung; without a row everything rings as the service does it.
create table notification_settings (
  user_id bigint primary key references users on delete cascade,
  muted_until timestamptz,
  -- Minutes of the day on the clock of each device; the same twice is all day.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  rings_per_hour smallint check (rings_per_hour between 0 and 60),
  check ((quiet_from is null) = (quiet_until is null))
);

-- The same of one event.
create table event_notification_settings (
  user_id bigint not null references users on delete cascade,
  event_id bigint not null references events on delete cascade,
  level text not null default 'everything' check (level in ('everything', 'for_me', 'nothing')),
  muted_until timestamptz,
  primary key (user_id, event_id)
);
create index event_notification_settings_event on event_notification_settings (event_id);

-- When somebody was rung within the last hour, in milliseconds since 1970, and which notifications wait until another
-- ring is free. Its lock decides between processes who rings.
create table ring_budgets (
  user_id bigint primary key references users on delete cascade,
  rung_at bigint[] not null default '{}',
  waiting bigint[] not null default '{}',
  -- When the rolling notification, which has no sound, is told anew.
  roll_at timestamptz,
  rolled_at timestamptz
);

-- Told by the rolling notification instead of a ring.
alter table notifications add folded_at timestamptz;

-- What waits for the end of quiet hours is `held`; what comes then for several says how many.
alter table deliveries
  add together smallint,
  drop constraint deliveries_state_check,
  add constraint deliveries_state_check
    check (state in ('waiting', 'held', 'sent', 'acknowledged', 'delivered', 'failed', 'skipped')) not valid;
create index deliveries_held on deliveries (device_row) where state = 'held';
