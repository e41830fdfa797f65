-- An address whose service does not answer rests, longer each time, and is dropped when that lasts for a week.
alter table push_addresses
  add column silences smallint not null default 0,
  add column silent_since timestamptz,
  add column rests_until timestamptz;
