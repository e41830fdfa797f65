-- Where an account's owner has signed in with the password: a device or a network, as a hash. What strangers guess
-- elsewhere does not lock the owner out there.
create table known_places (
  user_id bigint not null references users on delete cascade,
  place bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, place)
);
create index known_places_seen on known_places (seen_at);
