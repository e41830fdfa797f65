-- One picture: its files are content-addressed and may be shared between rows.
create table media (
  id bigint generated always as identity primary key,
  -- null: seen outside of any event (avatars). Otherwise its URLs die when the event's media epoch rises.
  event_id bigint,
  owner_id bigint not null references users,
  original_sha256 text not null,
  original_bytes bigint not null,
  original_type text not null,
  width integer not null,
  height integer not null,
  thumbhash text not null,
  taken_at timestamptz,
  -- variant name → { sha256, bytes, type, width, height }
  variants jsonb not null,
  created_at timestamptz not null default now(),
  -- Set when the last thing that showed it is gone; the files follow after a grace.
  removed_at timestamptz
);
create index media_event on media (event_id);

alter table users add foreign key (avatar_media_id) references media;
alter table users add foreign key (staged_avatar_media_id) references media;
