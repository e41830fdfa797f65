create table users (
  id bigint generated always as identity primary key,
  first_name text not null,
  middle_name text,
  last_name text not null,
  username text not null,
  email text not null,
  visible boolean not null default true,
  status smallint not null default 2 check (status between 1 and 5),
  timezone text not null,
  password_hash text,
  mutes_notifications boolean not null default false,
  plan_title text not null default 'Free',
  plan_pricing double precision not null default 0,
  plan_expires_at timestamptz not null default '9999-12-31T23:59:59Z',
  avatar_media_id bigint,
  staged_avatar_media_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));

create table login_options (
  user_id bigint not null references users on delete cascade,
  type integer not null,
  identifier text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, type)
);
create unique index login_options_identifier_key on login_options (type, lower(identifier));

-- One row is one session: a person on a device. Tokens stand here only as SHA-256.
create table devices (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  device_id text not null,
  platform text not null,
  timezone text not null,
  token_hash bytea not null unique,
  token_expires_at timestamptz not null,
  -- After a refresh the old token lives a little longer, for requests under way.
  previous_token_hash bytea unique,
  previous_token_expires_at timestamptz,
  last_used_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, device_id)
);

-- The first reply to a request with an Idempotency-Key, written in the transaction of its effect.
create table idempotency_keys (
  user_id bigint not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, operation, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
