-- Jobs, added by the transaction of an act and done by one process of all (docs/decisions/jobs.md).
create table jobs (
  id bigint generated always as identity primary key,
  task text not null,
  payload json not null,
  -- Jobs of one lane are done one after another.
  lane text,
  -- Among jobs without a lane, the lowest come first.
  priority integer not null default 0,
  run_at timestamptz not null default now(),
  attempts smallint not null default 0,
  last_error text,
  -- The name of the connection of the process that is working on it.
  held_by text,
  -- When it was given up.
  failed_at timestamptz
);
create index jobs_due on jobs (priority, run_at, id) where held_by is null and failed_at is null and lane is null;
create index jobs_of_lane on jobs (lane, priority, run_at, id)
  where held_by is null and failed_at is null and lane is not null;
create index jobs_failed on jobs (failed_at) where failed_at is not null;

create table job_lanes (
  name text primary key,
  held_by text
);

-- When each scheduled task was last due.
create table job_schedule (
  task text primary key,
  last_due_at timestamptz not null
);

create function tell_of_jobs() returns trigger language plpgsql as $$
begin
  notify jobs;
  return null;
end $$;
create trigger jobs_tell after insert on jobs for each statement execute function tell_of_jobs();

-- What waits in the tables of graphile-worker, which this queue was before.
do $$ begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    insert into jobs (task, payload, lane, priority, run_at, attempts, last_error, failed_at)
    select t.identifier, j.payload, q.queue_name, j.priority, j.run_at, j.attempts, j.last_error,
      case when j.attempts >= j.max_attempts then j.updated_at end
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    order by j.id;
    insert into job_lanes (name) select distinct lane from jobs where lane is not null;
    insert into job_schedule (task, last_due_at)
    select identifier, coalesce(last_execution, known_since) from graphile_worker._private_known_crontabs;
    drop schema graphile_worker cascade;
  end if;
end $$;
