import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/app.ts'
import { transact } from '../database/database.ts'
import { askedBy, requestNow } from '../observability/request-context.ts'
import { type Jobs, type JobsOptions, openJobs } from './job-worker.ts'
import { addJob } from './jobs.ts'

const { db, url } = await cloneDatabase()
const open = new Set<Jobs>()
const work = async (tasks: JobsOptions['tasks'], recoverEveryMs = 200) => {
  const jobs = await openJobs({ url, tasks, log: { warn() {}, error() {} }, pollMs: 50, recoverEveryMs })
  open.add(jobs)
  return jobs
}
const connections = async () => {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where application_name = 'afterglow jobs' and datname = current_database()`.execute(db)
  return rows.map(({ pid }) => pid)
}
const cutConnections = async () =>
  sql`select pg_terminate_backend(pid) from unnest(${await connections()}::int[]) pid`.execute(db)
const waitingForLocks = async () => {
  const { rows } = await sql`select from pg_stat_activity where application_name = 'afterglow jobs'
    and datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

const closeAll = async () => {
  for (const jobs of open) await jobs.close()
  open.clear()
}
afterEach(closeAll)
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

test('a job runs if and only if its transaction commits, and later on request', async () => {
  const done: unknown[] = []
  await work({ note: async payload => void done.push(payload) })
  await transact(db, tx => addJob(tx, 'note', { number: 1 }))
  await transact(db, async tx => {
    await addJob(tx, 'note', { number: 2 })
    throw new Error('rolled back')
  }).catch(() => {})
  const before = performance.now()
  await transact(db, tx => addJob(tx, 'note', { number: 3 }, { afterMs: 300 }))
  await expect.poll(() => done).toEqual([{ number: 1 }, { number: 3 }])
  expect(performance.now() - before).toBeGreaterThan(290)
})

test('a failed job is retried', async () => {
  let tries = 0
  await work({
    fail: async () => {
      tries += 1
      if (tries === 1) throw new Error('once')
    },
  })
  await transact(db, tx => addJob(tx, 'fail', {}))
  const again = async () =>
    (
      await sql<{ after: number }>`select extract(epoch from run_at - now())::float8 as after from jobs
        where last_error is not null`.execute(db)
    ).rows.map(({ after }) => after > 1.5 && after < 3)
  await expect.poll(again).toEqual([true])
  await sql`update jobs set run_at = now()`.execute(db)
  await expect.poll(() => tries).toBe(2)
})

test('a job’s log names the request that added it, as do the jobs that it adds', async () => {
  const done: [unknown, string | undefined][] = []
  const complaints: Record<string, unknown>[] = []
  const note = async (payload: { number: number }) => {
    done.push([payload, requestNow()])
    if (payload.number === 1) await transact(db, tx => addJob(tx, 'fail', { number: 2 }))
  }
  const fail = async (payload: unknown) => {
    done.push([payload, requestNow()])
    throw new Error('always')
  }
  const jobs = await openJobs({
    url,
    tasks: { note, fail },
    log: { warn() {}, error: (fields: Record<string, unknown>) => void complaints.push(fields) } as never,
    pollMs: 50,
  })
  open.add(jobs)
  await askedBy('the-request', () => transact(db, tx => addJob(tx, 'note', { number: 1 })))
  await expect.poll(() => complaints).toMatchObject([{ task: 'fail', request: 'the-request' }])
  await transact(db, tx => addJob(tx, 'note', { number: 3 }))
  await expect.poll(() => done.length).toBeGreaterThanOrEqual(3)
  expect(done.slice(0, 3)).toEqual([
    [{ number: 1 }, 'the-request'],
    [{ number: 2 }, 'the-request'],
    [{ number: 3 }, undefined],
  ])
})

test('jobs of one lane run one after another, and others pass them', async () => {
  const events: string[] = []
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await work({
    slow: async ({ name }) => {
      events.push(`${name} begins`)
      await held
      events.push(`${name} ends`)
    },
    quick: async () => void events.push('quick'),
  })
  await transact(db, async tx => {
    await addJob(tx, 'slow', { name: 'one' }, { lane: 'slow' })
    await addJob(tx, 'slow', { name: 'two' }, { lane: 'slow' })
    await addJob(tx, 'quick', {})
  })
  await expect.poll(() => [...events].sort()).toEqual(['one begins', 'quick'])
  release()
  await expect.poll(() => events.slice(2)).toEqual(['one ends', 'two begins', 'two ends'])
})

test('no lane waits for another, however many jobs it has or lanes are stuck', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const done: string[] = []
  await work({ stuck: () => held, mail: async () => void done.push('mail'), push: async () => void done.push('push') })
  await transact(db, async tx => {
    for (let at = 0; at < 12; at++) await addJob(tx, 'stuck', {}, { lane: `stuck ${at}` })
    for (let at = 0; at < 300; at++) await addJob(tx, 'mail', {}, { lane: 'mail' })
  })
  await expect.poll(() => done.length).toBeGreaterThan(0)
  await transact(db, tx => addJob(tx, 'push', {}, { lane: 'push' }))
  await transact(db, tx => addJob(tx, 'push', {}))
  await expect.poll(() => done.filter(one => one === 'push')).toHaveLength(2)
  await expect.poll(() => done.filter(one => one === 'mail')).toHaveLength(300)
  release()
})

test('two processes never work on one lane at once', async () => {
  let running = 0
  const seen: number[] = []
  const laned = async () => {
    running += 1
    seen.push(running)
    await sleep(2)
    running -= 1
  }
  await work({ laned })
  await work({ laned })
  await transact(db, async tx => {
    for (let at = 0; at < 60; at++) await addJob(tx, 'laned', {}, { lane: 'narrow' })
  })
  await expect.poll(() => seen.length).toBe(60)
  expect(new Set(seen)).toEqual(new Set([1]))
})

test('closing waits for the running job', async () => {
  let ended = false
  let began = () => {}
  const beginning = new Promise<void>(resolve => {
    began = resolve
  })
  const jobs = await work({
    slow: async () => {
      began()
      await sleep(200)
      ended = true
    },
  })
  await transact(db, tx => addJob(tx, 'slow', {}))
  await beginning
  await jobs.close()
  open.delete(jobs)
  expect(ended).toBe(true)
})

test('a lost database connection stops jobs only briefly', async () => {
  const done: unknown[] = []
  await work({ note: async payload => void done.push(payload) })
  await cutConnections()
  await transact(db, tx => addJob(tx, 'note', { after: 'the cut' }))
  await expect.poll(() => done).toEqual([{ after: 'the cut' }])
})

test('connections that die under load lose no job and leave no unhandled failure', async () => {
  const unheard: unknown[] = []
  const hear = (fault: unknown) => void unheard.push(fault)
  process.on('unhandledRejection', hear)
  const done = new Set<number>()
  await work({
    note: async ({ number }) => {
      await sleep(number % 5)
      done.add(number)
      if (number % 50 === 0) throw new Error('now and then')
    },
  })
  const all = 400
  for (let number = 0; number < all; number++) {
    await transact(db, tx => addJob(tx, 'note', { number }, number % 3 ? {} : { lane: `lane ${number % 7}` }))
    if (number % 25 === 0) await cutConnections()
  }
  await expect.poll(() => done.size).toBe(all)
  process.off('unhandledRejection', hear)
  expect(unheard).toEqual([])
})

test('a job that keeps running while its connection is lost is not started again', async () => {
  let begun = 0
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const hold = async () => {
    begun += 1
    await held
  }
  await work({ hold })
  await transact(db, tx => addJob(tx, 'hold', {}, { lane: 'held' }))
  await expect.poll(() => begun).toBe(1)
  const holder = async () => {
    const { rows } = await sql<{ by: string }>`
      select held_by as by from jobs where held_by is not null`.execute(db)
    return rows.map(({ by }) => by)
  }
  const lost = await holder()
  await cutConnections()
  await expect.poll(holder).not.toEqual(lost)
  await work({ hold })
  // Three rounds of looking for jobs whose process is gone.
  await sleep(600)
  expect(begun).toBe(1)
  release()
  await expect.poll(async () => (await sql`select from jobs where held_by is not null`.execute(db)).rows).toEqual([])
})

test('the queue closes cleanly even while it reconnects', async () => {
  const jobs = await work({ note: async () => {} }, 60_000)
  const closed = await transact(db, async tx => {
    await sql`lock table jobs`.execute(tx)
    const [before] = await connections()
    await cutConnections()
    await expect.poll(connections).not.toContain(before)
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    return { byNow: jobs.close() }
  })
  await closed.byNow
  open.delete(jobs)
  await expect.poll(connections).toEqual([])
})

test('another process does a killed process’s job within seconds; a living one’s is left alone', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', holdingProgram], {
    env: { ...process.env, URL_OF_DATABASE: url },
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  children.add(child)
  await once(child.stdout, 'data')
  await transact(db, tx => addJob(tx, 'hold', {}, { lane: 'held' }))
  await once(child.stdout, 'data')

  const done: number[] = []
  await work({ hold: async () => void done.push(1) })
  await sleep(1000)
  expect(done).toEqual([])
  child.kill('SIGKILL')
  await expect.poll(() => done).toEqual([1])
})

const holdingProgram = `
  import { openJobs } from './job-worker.ts'
  const hold = async () => { console.log('began'); await new Promise(resolve => setTimeout(resolve, 60_000)) }
  await openJobs({ url: process.env.URL_OF_DATABASE, tasks: { hold }, log: { warn() {} } })
  console.log('open')
`
