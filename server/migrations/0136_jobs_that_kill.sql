-- Beside older processes.
-- How often a process died while it worked on a job, since when it is worked on, and since when it fails.
alter table jobs add column deaths smallint not null default 0,
  add column held_since timestamptz,
  add column failing_since timestamptz;
create index jobs_suspected on jobs (run_at) where deaths >= 2 and held_by is null and failed_at is null;
