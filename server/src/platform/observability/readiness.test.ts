import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/app.ts'
import { openDatabase } from '../database/database.ts'
import { livingProcesses } from '../database/registered-process.ts'
import { version } from '../process/version.ts'
import { openReadiness } from './readiness.ts'

const { db, url } = await cloneDatabase()
const pool = openDatabase(url, { connections: 2, name: 'afterglow requests' })
let hasRoom = true
const readiness = openReadiness({ url, pool, hasRoom: async () => hasRoom })
afterAll(async () => {
  await readiness.close()
  await pool.destroy()
})
afterEach(() => expect.poll(readiness.whyNot, { timeout: 10_000 }).toBe(undefined))

const name = sql.ref(url.split('/').at(-1)?.split('?')[0] ?? '')

test('a process is ready while it can write, is registered, and knows its clock’s offset from the database', async () => {
  await expect.poll(readiness.whyNot).toBe(undefined)
  expect(readiness.clockApartSeconds()).toBeLessThan(2)
  expect((await livingProcesses(db)).said).toMatchObject([{ version }])
})

test('a disk without room for text makes it unready until there is room', async () => {
  hasRoom = false
  await expect.poll(readiness.whyNot).toBe('the disk is full')
  hasRoom = true
})

test('a read-only database makes it unready until it accepts writes', async () => {
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(db)
  await expect.poll(readiness.whyNot).toBe('the database is read-only')
  await sql`alter database ${name} reset default_transaction_read_only`.execute(db).catch(async () => {
    await sql`set default_transaction_read_only = off`.execute(db)
  })
})

test('a database that gives requests no connection makes it unready until it does', async () => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name <> 'afterglow requests'`.execute(db)
  await sql`alter database ${name} connection limit ${sql.lit(rows[0]?.count)}`.execute(db)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'afterglow requests'`.execute(db)
  await expect.poll(readiness.whyNot, { timeout: 5_000 }).toBe('no connection to the database')
  await sql`alter database ${name} connection limit -1`.execute(db)
})

test('a process whose connection was lost is registered again', async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'afterglow process'`.execute(db)
  await expect.poll(async () => (await livingProcesses(db)).said.length, { timeout: 10_000 }).toBe(1)
})
