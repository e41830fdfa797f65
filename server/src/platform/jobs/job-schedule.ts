import type { JobsConnection } from './jobs-store.ts'

/** A job of no payload that is added again and again, by one process of all. */
export type ScheduledTask = RepeatedTask | Moment

/** In UTC, even if no process was up at the time. */
type RepeatedTask = {
  task: string
  every: '1 minute' | '1 hour' | '1 day'
  /** How long after the start of each hour or day. */
  after?: string
  /** How late it is still added if nothing was running then. */
  late?: string
  lane?: string
}

/** As soon as a row's time has come. */
type Moment = {
  task: string
  /** A query, cheap by an index, that has rows while there is something to do. */
  when: string
}

/**
 * Adds the tasks whose moment has come. Every process asks, and the first adds the job; none is added while one of the
 * task is there, running or failing.
 */
export const addMoments = async ({ query }: Pick<JobsConnection, 'query'>, schedule: readonly ScheduledTask[]) => {
  const moments = schedule.filter(each => 'when' in each)
  if (moments.length === 0) return
  const each = moments.map(({ when }, at) => `(${at}, exists (${when}))`)
  const { rows } = await query(`select at from (values ${each.join()}) as asked (at, due) where due`, [])
  if (rows.length === 0) return
  await query(addDueText(rows.map(({ at }) => moments[at]?.task as string)), [])
}

// Two statements of one transaction: the second sees what another process added while this one waited for the lock.
const addDueText = (tasks: readonly string[]) => `
  select pg_advisory_xact_lock(hashtextextended('afterglow moments', 0));
  with known as (
    insert into job_schedule (task, last_due_at) select unnest(array[${tasks.map(task => `'${task}'`)}]), now() on conflict (task)
    do update set last_due_at = now() where not exists (
      select from jobs j where j.task = excluded.task and j.failed_at is null)
    returning task
  )
  insert into jobs (task, payload) select task, '{}' from known`

/** Adds what is due by the database's clock. A task that is scheduled for the first time counts from now on. */
export const addScheduled = async ({ query }: Pick<JobsConnection, 'query'>, schedule: readonly ScheduledTask[]) => {
  const repeated = schedule.filter(each => 'every' in each)
  if (repeated.length === 0) return
  await query(addText, [
    repeated.map(({ task }) => task),
    repeated.map(({ every }) => every),
    repeated.map(({ after = '0' }) => after),
    repeated.map(({ late = '1 hour' }) => late),
    repeated.map(({ lane = null }) => lane),
  ])
}

/** The first process to advance a task's time adds its job. A time in the future came from a wrong clock. */
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
