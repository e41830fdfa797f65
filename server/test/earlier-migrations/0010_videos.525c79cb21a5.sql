-- A photo that is a video. Its media is the still that came with it, and gets the variant `video`, the MP4 made of the
-- original, when that is ready. The original's file is kept as long as the media: only this row names it.
create table videos (
  photo_id bigint primary key references photos,
  media_id bigint not null unique references media,
  original_sha256 text not null,
  original_bytes bigint not null,
  original_type text not null,
  state text not null default 'waiting' check (state in ('waiting', 'converting', 'ready', 'failed')),
  -- Percent.
  progress integer not null default 0,
  -- How often a conversion was begun.
  tries integer not null default 0,
  -- As its container tells, then as the MP4 has it.
  duration_ms bigint,
  -- Of one that failed: why, as a code.
  fault text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index videos_originals on videos (original_sha256);

-- The URL of the photo is that of the MP4. Beside the photo, so that a page of a gallery reads no second row for each.
alter table photos add column plays boolean not null default false;
