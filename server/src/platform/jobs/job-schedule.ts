import type { JobsConnection } from './jobs-store.ts'

/** A job of no payload that is added again and again, in UTC: by one process of all, even if none was up at the time. */
export type Scheduled = {
  task: string
  every: '1 minute' | '1 hour' | '1 day'
  /** How long after the start of each hour or day. */
  after?: string
  /** How late it is still added if nothing was running then. */
  late?: string
  lane?: string
}

/** Adds what is due by the database's clock. A task that is scheduled for the first time counts from now on. */
export const addScheduled = async ({ query }: Pick<JobsConnection, 'query'>, schedule: readonly Scheduled[]) => {
  if (schedule.length === 0) return
  await query(addText, [
    schedule.map(({ task }) => task),
    schedule.map(({ every }) => every),
    schedule.map(({ after = '0' }) => after),
    schedule.map(({ late = '1 hour' }) => late),
    schedule.map(({ lane = null }) => lane),
  ])
}

/** Whoever is first to move the time of a task adds its job. One that lies ahead was set by a clock that was wrong. */
const addText = `
  with asked as (
    select task, lane, late, date_bin(every, now(), timestamptz '2000-01-01 00:00:00+00' + after) as due_at
    from unnest($1::text[], $2::interval[], $3::interval[], $4::interval[], $5::text[]) as a (task, every, after, late, lane)
  ), known as (
    insert into job_schedule (task, last_due_at) select task, now() from asked on conflict do nothing
  ), due as (
    update job_schedule s set last_due_at = asked.due_at from asked
    where s.task = asked.task and (s.last_due_at < asked.due_at or s.last_due_at > now() + interval '1 minute')
      and asked.due_at > now() - asked.late
    returning asked.task, asked.lane
  ), lanes as (
    insert into job_lanes (name) select lane from due where lane is not null on conflict do nothing
  )
  insert into jobs (task, payload, lane) select task, '{}', lane from due`
