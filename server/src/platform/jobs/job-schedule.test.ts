import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/app.ts'
import type { ScheduledTask } from './job-schedule.ts'
import { openJobs } from './job-worker.ts'

const { db, url } = await cloneDatabase()

const schedule: ScheduledTask[] = [
  { task: 'tidy', every: '1 minute', lane: 'tidy' },
  { task: 'sweep', every: '1 day', after: '3 hours', late: '1 second' },
]
const opened = async () => {
  const done: string[] = []
  const jobs = await openJobs({
    url,
    tasks: { tidy: async () => void done.push('tidy'), sweep: async () => void done.push('sweep') },
    schedule,
    log: { warn() {}, error() {} },
    pollMs: 50,
  })
  return { done, jobs }
}
const lastDue = (task: string, ago: string) =>
  sql`update job_schedule set last_due_at = now() - ${ago}::interval where task = ${task}`.execute(db)
const known = async () => (await sql`select task from job_schedule`.execute(db)).rows

test('a scheduled job runs once among all processes, even if none was up at its time, unless that is long ago', async () => {
  const first = await opened()
  await expect.poll(known).toHaveLength(2)
  await first.jobs.close()
  expect(first.done).toEqual([])
  await lastDue('tidy', '10 minutes')
  await lastDue('sweep', '400 days')
  const both = await Promise.all([opened(), opened()])
  const done = () => both.flatMap(each => each.done)
  await expect.poll(done).toContain('tidy')
  for (const { jobs } of both) await jobs.close()
  expect(done()).toEqual(['tidy'])
})

test('a scheduled job resumes as soon as a clock that jumped ahead is right again', async () => {
  await lastDue('tidy', '-1 day')
  const { done, jobs } = await opened()
  await expect.poll(() => done).toEqual(['tidy'])
  await jobs.close()
  const again = await opened()
  await again.jobs.close()
  expect(again.done).toEqual([])
})

test('a moment’s job runs within two seconds, once among all processes, and not again while it fails', async () => {
  await sql`create table moments (at timestamptz not null)`.execute(db)
  const schedule: ScheduledTask[] = [{ task: 'keep', when: 'select from moments where at <= now()' }]
  const late: number[] = []
  let fails = false
  const keep = async () => {
    const { rows } = await sql<{ late: number }>`delete from moments where at <= now() and ${!fails}
      returning extract(epoch from clock_timestamp() - at)::float8 as late`.execute(db)
    late.push(...rows.map(row => row.late))
    if (fails) throw new Error('not now')
  }
  const log = { warn() {}, error() {} }
  const both = await Promise.all([1, 2].map(() => openJobs({ url, tasks: { keep }, schedule, log })))
  for (const seconds of [0.5, 1.2, 1.9, 2.6, 3.3]) {
    await sql`insert into moments values (now() + make_interval(secs => ${seconds}))`.execute(db)
  }
  await expect.poll(() => late, { timeout: 10_000 }).toHaveLength(5)
  expect(Math.max(...late)).toBeLessThan(2)
  fails = true
  await sql`insert into moments values (now())`.execute(db)
  await expect
    .poll(async () => (await sql`select from jobs where last_error is not null`.execute(db)).rows)
    .toHaveLength(1)
  await new Promise(resolve => setTimeout(resolve, 1_500))
  expect((await sql`select from jobs`.execute(db)).rows).toHaveLength(1)
  for (const jobs of both) await jobs.close()
  await sql`drop table moments`.execute(db)
  await sql`delete from jobs`.execute(db)
})

test('a job waiting in the tables of an older version is done, and its schedule continues', async () => {
  await sql
    .raw(`
    create schema graphile_worker;
    create table graphile_worker._private_tasks (id int primary key, identifier text);
    create table graphile_worker._private_job_queues (id int primary key, queue_name text);
    create table graphile_worker._private_jobs (id bigint primary key, job_queue_id int, task_id int, payload json,
      priority smallint, run_at timestamptz, attempts smallint, max_attempts smallint, last_error text,
      created_at timestamptz, updated_at timestamptz, locked_at timestamptz, locked_by text);
    create table graphile_worker._private_known_crontabs (identifier text, known_since timestamptz, last_execution timestamptz);
    insert into graphile_worker._private_tasks values (1, 'mail'), (2, 'push');
    insert into graphile_worker._private_job_queues values (1, 'mail to one');
    insert into graphile_worker._private_jobs values
      (7, 1, 1, '{"number":1}', 0, now(), 0, 25, null, now(), now(), null, null),
      (8, 1, 1, '{"number":2}', 0, now(), 3, 25, 'once', now(), now(), now(), 'a process that is gone'),
      (9, null, 2, '{"number":3}', 0, now(), 25, 25, 'always', now(), '2026-01-01', null, null);
    insert into graphile_worker._private_known_crontabs values ('older', '2026-01-01', '2026-02-01')`)
    .execute(db)
  const migrations = new URL('../../../migrations/', import.meta.url)
  const [name] = readdirSync(migrations).filter(file => file.endsWith('_jobs.sql'))
  const text = readFileSync(new URL(name as string, migrations), 'utf8')
  await sql.raw(text.slice(text.indexOf('do $$'))).execute(db)

  const done: unknown[] = []
  const note = async (payload: unknown) => void done.push(payload)
  const jobs = await openJobs({ url, tasks: { mail: note, push: note }, log: { warn() {}, error() {} }, pollMs: 50 })
  await expect.poll(() => done).toEqual([{ number: 1 }, { number: 2 }])
  await jobs.close()
  const { rows } = await sql`
    select task, attempts, failed_at, (select last_due_at from job_schedule where task = 'older') as last_due_at
    from jobs`.execute(db)
  const [failedAt, lastDueAt] = ['2026-01-01', '2026-02-01'].map(day => new Date(day))
  expect(rows).toEqual([{ task: 'push', attempts: 25, failed_at: failedAt, last_due_at: lastDueAt }])
})
