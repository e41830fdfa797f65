-- Every file that a row of media names: which of these files does some row still need?
create function media_hashes(original_sha256 text, variants jsonb) returns text[] language sql immutable parallel safe return
  array[original_sha256] || array(select file ->> 'sha256' from jsonb_each(variants) variant(name, file));
create index media_files on media using gin (media_hashes(original_sha256, variants));

-- Files that the sweeper has removed lately, or is about to. Who has just put such a file again and now writes its row
-- looks whether it is still there (platform/media/holding-files.ts).
create table removed_files (
  sha256 text primary key,
  removed_at timestamptz not null default now()
);

-- What the nightly reading found wrong, until it finds it right again.
create table damaged_files (
  sha256 text primary key,
  -- One of those that show it.
  media_id bigint not null references media,
  fault text not null check (fault in ('missing', 'changed', 'wrong length', 'unreadable')),
  found_at timestamptz not null default now()
);

create table storage_reports (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('sweep', 'scrub')),
  began_at timestamptz not null,
  ended_at timestamptz not null default now(),
  report jsonb not null
);
create index storage_reports_latest on storage_reports (kind, id desc);

-- What may be restored.
create index photos_deleted on photos (event_id, deleted_at desc, id desc) where deleted_at is not null;
