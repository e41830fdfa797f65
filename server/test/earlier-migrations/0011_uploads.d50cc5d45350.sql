-- A file on its way in by several requests. Its bytes lie beside the media until a photo is made of it.
create table upload_sessions (
  id uuid primary key,
  event_id bigint not null references events,
  user_id bigint not null references users,
  kind text not null check (kind in ('image', 'video')),
  filename text,
  -- As the client announced them.
  bytes bigint not null check (bytes > 0),
  sha256 text,
  -- So many are on disk for good; what lies behind them is overwritten.
  received bigint not null default 0 check (received between 0 and bytes),
  photo_id bigint references photos,
  created_at timestamptz not null default now(),
  -- When the last byte came: a day later the session is over.
  touched_at timestamptz not null default now()
);
-- Those that hold a place in somebody's number of photos.
create index upload_sessions_waiting on upload_sessions (event_id, user_id) where photo_id is null;
create index upload_sessions_over on upload_sessions (touched_at);

-- CRC-32 of stored files, which a zip names before their bytes. A file never changes, so neither does its sum.
create table file_sums (
  sha256 text primary key,
  crc32 bigint not null
);
