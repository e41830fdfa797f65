import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../test/app.ts'
import { command } from '../../test/command.ts'
import { newFolder } from '../../test/new-folder.ts'
import { noteBackup } from '../platform/backup/last-backup.ts'
import { readConfig } from '../settings/config.ts'
import { examinePromises } from './doctor/promises.ts'

const { db, url } = await cloneDatabase()
const afterglow = (...args: string[]) => command({ DATABASE_URL: url }, ['jobs', ...args])
const json = async (...args: string[]) =>
  JSON.parse((await command({ DATABASE_URL: url }, ['--json', 'jobs', ...args])).out)

const idOf = async (task: string) =>
  (await sql<{ id: number }>`select id from jobs where task = ${task}`.execute(db)).rows[0]?.id ?? 0

beforeEach(async () => {
  await sql`truncate jobs`.execute(db)
  await sql`insert into jobs (task, payload, attempts, held_by, held_since, failing_since, failed_at, run_at, last_error) values
    ('waits', '{}', 0, null, null, null, null, now() - interval '1 minute', null),
    ('later', '{}', 0, null, null, null, null, now() + interval '1 hour', null),
    ('runs', '{}', 1, 'somebody', now(), null, null, now(), null),
    ('retries', '{}', 3, null, null, now() - interval '1 hour', null, now() + interval '5 minutes', 'Error: no'),
    ('sendMail', '{"address":"gus@example.com","about":"invitation"}', 9, null, null, now(), now(), now(), 'Error: never')`.execute(
    db,
  )
})

test('an operator sees failed jobs first, then retried, running and waiting ones', async () => {
  const listed = (await json('list')).map(({ task, state }: { task: string; state: string }) => `${task} ${state}`)
  expect(listed).toEqual(['sendMail failed', 'retries retrying', 'runs running', 'waits waiting'])
  expect((await afterglow('list', '--state', 'later')).out).toMatch(/later/)
  expect((await afterglow('list', '--task', 'nothing of the kind')).out).toBe('No jobs.')
  expect((await afterglow('list', '--state', 'odd')).code).toBe(2)
})

test('a job is shown with its subject and its failure, but without anybody’s address', async () => {
  const { out } = await afterglow('show', String(await idOf('sendMail')))
  expect(out).toMatch(/Error: never/)
  expect(out).toMatch(/invitation/)
  expect(out).not.toContain('gus@')
  expect(await afterglow('show', '999999')).toMatchObject({ code: 1 })
})

test('a failed job can be retried with all its tries, alone or with its task', async () => {
  expect(await afterglow('retry', String(await idOf('sendMail')))).toMatchObject({ code: 0, out: 'A job is due now.' })
  expect(await afterglow('retry', '--task', 'retries')).toMatchObject({ code: 0, out: 'A job is due now.' })
  const { rows } = await sql`select from jobs where task in ('sendMail', 'retries') and attempts = 0
    and failed_at is null and failing_since is null and run_at <= now()`.execute(db)
  expect(rows).toHaveLength(2)
})

test('a job can be dropped, but not while it runs', async () => {
  expect(await afterglow('drop', String(await idOf('waits')))).toMatchObject({ code: 0 })
  expect(await afterglow('drop', String(await idOf('runs')))).toMatchObject({ code: 1 })
  expect(await idOf('waits')).toBe(0)
  expect(await idOf('runs')).not.toBe(0)
  expect(await afterglow('drop')).toMatchObject({ code: 1 })
})

test('the doctor ends with a line per promise, each good or with advice', async () => {
  const dataDir = newFolder('promises')
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, FREE_MB_MIN: '0' })
  const find = async () =>
    Object.fromEntries((await examinePromises(config)).map(({ about, state, found }) => [about, `${state} ${found}`]))
  expect(await find()).toMatchObject({
    backups: expect.stringMatching(/^warning No backup/),
    mails: expect.stringMatching(/^warning 1 mails of the last month/),
    jobs: expect.stringMatching(/^fault Jobs wait or fail for 60 minutes: retries 1\./),
    upgrade: expect.stringMatching(/^good /),
  })
  await sql`truncate jobs`.execute(db)
  expect(await find()).toMatchObject({ jobs: expect.stringMatching(/^good /), mails: expect.stringMatching(/^good /) })
  noteBackup(dataDir)
  expect(await find()).toMatchObject({
    backups: expect.stringMatching(/^good /),
    room: expect.stringMatching(/^good /),
  })
})
