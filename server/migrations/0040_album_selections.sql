-- Photos that somebody chose to take home, for as long as the link to them lives.
create table album_selections (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  photo_ids bigint[] not null,
  created_at timestamptz not null default now()
);
create index album_selections_by_age on album_selections (created_at);
