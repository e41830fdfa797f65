import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/app.ts'
import { transact } from '../database/database.ts'
import { type Jobs, type JobsOptions, openJobs } from './job-worker.ts'
import { addJob, GiveUp, limited } from './jobs.ts'

const { db, url } = await cloneDatabase()
const complaints: string[] = []
const open = new Set<Jobs>()
const work = async (tasks: JobsOptions['tasks'], more: Partial<JobsOptions> = {}) => {
  const log = { warn() {}, error: (_: object, said: string) => void complaints.push(said) } as never
  const jobs = await openJobs({ url, tasks, log, pollMs: 50, recoverEveryMs: 200, ...more })
  open.add(jobs)
}
const add = (task: string, payload: object = {}, lane?: string) =>
  transact(db, tx => addJob(tx, task, payload, lane === undefined ? {} : { lane }))
const insert = (task: string, payload: string, more = sql`0, 0`) =>
  sql`insert into jobs (task, payload, attempts, deaths) values (${task}, ${payload}::json, ${more})`.execute(db)

type Row = { task: string; attempts: number; deaths: number; failed: boolean; last_error: string | null; waits: number }
const rows = async () =>
  (
    await sql<Row>`select task, attempts, deaths, failed_at is not null as failed, last_error,
      extract(epoch from run_at - now())::float8 as waits from jobs order by task, id`.execute(db)
  ).rows

const children = new Set<ChildProcess>()
beforeEach(() => void complaints.splice(0))
afterEach(async () => {
  for (const jobs of open) await jobs.close()
  open.clear()
  await sql`truncate jobs, job_lanes`.execute(db)
})
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A process that works on jobs: `kill` ends it, `hang` blocks it for ever, `note` says its payload. */
const startProcess = async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, URL_OF_DATABASE: url },
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  children.add(child)
  const said: string[] = []
  child.stdout.on('data', text => said.push(...String(text).trim().split('\n')))
  const gone = once(child, 'exit')
  await expect.poll(() => said, { timeout: 20_000 }).toContain('open')
  return { child, said, gone }
}
const program = `
  import { openJobs } from './job-worker.ts'
  const kill = async () => process.exit(7)
  const note = async ({ number }) => {
    await new Promise(resolve => setTimeout(resolve, 50))
    console.log('done ' + number)
  }
  await openJobs({ url: process.env.URL_OF_DATABASE, tasks: { kill, note }, pollMs: 50, recoverEveryMs: 200,
    log: { warn() {}, error(fields, said) { console.log(said) } } })
  console.log('open')
`

test('a job that kills its process is given up after three deaths, and no neighbour with it', {
  timeout: 120_000,
}, async () => {
  await add('kill')
  for (let number = 0; number < 5; number++) await add('note', { number })
  const said: string[] = []
  let deaths = 0
  for (let start = 0; start < 8; start++) {
    const one = await startProcess()
    const settled = expect
      .poll(
        async () => {
          await sql`update jobs set run_at = now() where failed_at is null and held_by is null`.execute(db)
          return (await rows()).every(({ failed }) => failed)
        },
        { timeout: 10_000 },
      )
      .toBe(true)
      .then(
        () => 'settled',
        () => 'late',
      )
    const ended = await Promise.race([one.gone.then(() => 'died'), settled])
    said.push(...one.said)
    if (ended === 'died') deaths += 1
    one.child.kill('SIGKILL')
    await one.gone
    if (ended === 'settled') break
  }
  expect(deaths).toBe(3)
  expect(said.filter(line => line.startsWith('done ')).toSorted()).toEqual(
    [0, 1, 2, 3, 4].map(number => `done ${number}`),
  )
  expect(said).toContain('a job failed for good')
  expect(await rows()).toMatchObject([{ task: 'kill', deaths: 3, failed: true }])
})

test('a job whose process died waits like a failed one', { timeout: 60_000 }, async () => {
  await add('kill')
  const { gone } = await startProcess()
  await gone
  await work({})
  await expect
    .poll(rows)
    .toMatchObject([{ deaths: 1, attempts: 1, last_error: 'The process that worked on it ended.' }])
  const [row] = await rows()
  expect(row?.waits).toBeGreaterThan(1)
  expect(row?.waits).toBeLessThan(3)
})

test('a job interrupted by a stop has neither failed nor been tried', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await work({ hold: () => held })
  await add('hold')
  await expect.poll(rows).toMatchObject([{ attempts: 1 }])
  const [jobs] = open
  open.clear()
  await jobs?.close()
  expect(await rows()).toMatchObject([{ attempts: 0, deaths: 0, failed: false, last_error: null }])
  release()
}, 15_000)

test('unreadable payloads and unknown tasks fail as jobs', async () => {
  const done: unknown[] = []
  await work({ note: async payload => void done.push(payload) })
  const unreadable = ['null', '[1]', '"words"', '7', 'true']
  for (const payload of unreadable) await insert('note', payload)
  await insert('unheard of', '{}')
  await insert('toString', '{}')
  await sql`update jobs set run_at = now() - interval '11 seconds' where task <> 'note'`.execute(db)
  await add('note', { read: true })
  await expect.poll(() => done).toEqual([{ read: true }])
  await expect.poll(async () => (await rows()).filter(({ last_error }) => last_error !== null)).toHaveLength(7)
  expect((await rows()).filter(({ failed }) => failed)).toEqual([])
})

test('a task of a newer version waits for it', async () => {
  await work({ note: async () => {} })
  await add('of a newer version')
  await add('note')
  await expect.poll(rows).toMatchObject([{ task: 'of a newer version', attempts: 0 }])
})

test('a job fails whatever its task throws, and its neighbours continue', async () => {
  const thrown: unknown[] = [null, undefined, Symbol('no'), Object.create(null), 0, new Error('\0\ud800')]
  thrown.push({ toString: () => process.kill(process.pid, 0) && JSON.parse('{') })
  let done = 0
  await work({
    fling: async ({ at }: { at: number }) => {
      throw thrown[at]
    },
    note: async () => {
      done += 1
    },
  })
  for (const at of thrown.keys()) await add('fling', { at })
  for (let number = 0; number < 20; number++) await add('note')
  await expect.poll(() => done).toBe(20)
  await expect
    .poll(async () => (await rows()).filter(({ last_error }) => last_error !== null))
    .toHaveLength(thrown.length)
})

test('no counter overflows, and a job beyond its maximum of tries is given up unseen', async () => {
  let runs = 0
  await work({
    note: async () => {
      runs += 1
    },
  })
  await insert('note', '{}', sql`32767, 0`)
  await insert('note', '{}', sql`25, 0`)
  await insert('note', '{}', sql`0, 32767`)
  await expect.poll(async () => (await rows()).filter(({ failed }) => failed)).toHaveLength(3)
  expect(runs).toBe(0)
})

test('a job is given up after its task’s tries, or as soon as the task says so', async () => {
  const given: unknown[] = []
  await work({
    twice: limited({ tries: 2, givenUp: async payload => given.push(payload) }, () => Promise.reject(new Error('no'))),
    once: async () => {
      throw new GiveUp('it is too late', { about: 'a mail' })
    },
  })
  await add('twice', { number: 1 })
  await add('once', { address: 'gus@example.com' })
  await expect.poll(rows).toMatchObject([
    { task: 'once', failed: true },
    { task: 'twice', failed: false, attempts: 1 },
  ])
  await sql`update jobs set run_at = now()`.execute(db)
  await expect.poll(rows).toMatchObject([{}, { task: 'twice', failed: true, attempts: 2 }])
  expect(given).toEqual([{ number: 1 }])
  const { rows: payloads } = await sql`select payload from jobs where task = 'once'`.execute(db)
  expect(payloads).toEqual([{ payload: { about: 'a mail' } }])
  expect(complaints.filter(said => said === 'a job failed for good')).toHaveLength(2)
})

test('a hanging job fails at its deadline, and its lane continues', async () => {
  let late = false
  const done: string[] = []
  await work({
    hang: limited({ minutes: 0.01 }, (_, signal) => {
      signal.addEventListener('abort', () => {
        late = true
      })
      return new Promise(() => {})
    }),
    note: async () => void done.push('note'),
  })
  await add('hang', {}, 'one')
  await add('note', {}, 'one')
  await expect.poll(() => done).toEqual(['note'])
  expect(late).toBe(true)
  await expect
    .poll(rows)
    .toMatchObject([{ task: 'hang', attempts: 1, last_error: expect.stringContaining('did not end') }])
})

test('jobs that failed at the same moment are retried at different moments', async () => {
  await work({ fail: () => Promise.reject(new Error('always')) })
  for (let number = 0; number < 30; number++) await add('fail')
  await expect.poll(async () => (await rows()).filter(({ last_error }) => last_error !== null)).toHaveLength(30)
  const waits = (await rows()).map(row => row.waits)
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(0.2)
})
