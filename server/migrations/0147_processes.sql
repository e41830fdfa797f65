-- Beside older processes.
-- Each process of the service has a row while it lives, and holds an advisory lock under its name.
create table processes (
  name text primary key,
  version text not null,
  newest_migration text not null,
  host text not null,
  started_at timestamptz not null default now(),
  -- Written to find out whether anything can be written.
  seen_at timestamptz not null default now()
);
