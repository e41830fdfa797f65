import { glob, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/app.ts'
import { afterCommit, openDatabase, type Transaction, transact } from './database.ts'

const { db, url } = await cloneDatabase()

test('a connection that breaks within a transaction fails that transaction and nothing else', async () => {
  const cut = transact(db, async tx => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
    const alive = () => sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(db)
    await expect.poll(async () => (await alive()).rows.length).toBe(0)
    // Its last word arrives before the next statement is sent.
    await new Promise(resolve => setTimeout(resolve, 50))
    await sql`select`.execute(tx)
  })
  await expect(cut).rejects.toThrow(/connection error|not queryable|terminated/i)
  expect((await sql`select`.execute(db)).rows).toHaveLength(1)
})

test('readers are served while very many writers wait for a lock', async () => {
  const few = openDatabase(url, { connections: 6, keptForReading: 4 })
  const take = (tx: Transaction) => sql`select pg_advisory_xact_lock(7)`.execute(tx)
  const writes = await transact(db, async tx => {
    await take(tx)
    const waiting = Array.from({ length: 20 }, () => transact(few, take))
    expect((await sql`select`.execute(few)).rows).toHaveLength(1)
    return { all: Promise.all(waiting) }
  })
  expect(await writes.all).toHaveLength(20)
  await few.destroy()
})

test('an announcement waits for the commit and is sent once, and at once without a transaction', async () => {
  const told: string[] = []
  const tell = () => told.push('told')
  afterCommit(db, tell)
  expect(told).toEqual(['told'])
  await transact(db, async tx => {
    for (const _ of [1, 2]) afterCommit(tx, tell)
    expect(told).toHaveLength(1)
  })
  expect(told).toHaveLength(2)
  const failed = transact(db, async tx => {
    afterCommit(tx, tell)
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(told).toHaveLength(2)
})

test('no code branches on whether it is in a transaction', async () => {
  const source = new URL('../..', import.meta.url).pathname
  const looking: string[] = []
  for await (const file of glob('**/*.ts', { cwd: source }))
    if (!file.endsWith('.test.ts') && /\.isTransaction\b/.test(await readFile(source + file, 'utf8')))
      looking.push(file)
  expect(looking).toEqual(['platform/database/database.ts'])
})

test('a busy connection is replaced in time, with its plans', async () => {
  const busy = openDatabase(url, { connections: 1, livesSeconds: 0.2 })
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(busy)).rows[0]?.pid
  const first = await pid()
  await expect.poll(pid).not.toBe(first)
  await busy.destroy()
})
