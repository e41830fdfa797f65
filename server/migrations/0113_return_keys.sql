-- With which guests without a password come back on their device after their session ended, as hashes.
create table return_keys (
  user_id bigint not null references users on delete cascade,
  device_id text not null,
  event_id bigint not null references events on delete cascade,
  key_hash bytea not null,
  primary key (user_id, device_id)
);
create index return_keys_by_key on return_keys (key_hash);
create index return_keys_event on return_keys (event_id);
