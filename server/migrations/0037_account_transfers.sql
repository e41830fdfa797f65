-- A code that signs another device in to the same account, once. It ends with the session that made it.
create table account_transfers (
  user_id bigint primary key references users on delete cascade,
  device_row bigint not null references devices on delete cascade,
  code_hash bytea not null unique,
  expires_at timestamptz not null,
  -- The device that took it: a reply may get lost, and that device asks again.
  taken_by text
);
create index account_transfers_device on account_transfers (device_row);
create index account_transfers_ending on account_transfers (expires_at);
