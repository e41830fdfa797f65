import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { later } from '../../../test/later.ts'
import { openNodes } from '../../../test/nodes.ts'
import { acrossSilentProxy } from '../../../test/silent-proxy.ts'
import { openPool } from './connection.ts'
import { transact } from './database.ts'
import { isDatabaseAway } from './database-away.ts'

const { db, url } = await cloneDatabase()

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it worked'),
    fault => fault,
  )
const raised = (code: string) =>
  faultOf(sql.raw(`do $$ begin raise exception using errcode = '${code}', message = 'planted'; end $$`).execute(db))

test.each([
  '08006',
  '25006',
  '53100',
  '53200',
  '53300',
  '55P03',
  '57P01',
  '57P02',
  '57P03',
  '58030',
  '58P01',
  '42501',
  'XX001',
])('a database that says %s is away', async code => expect(isDatabaseAway(await raised(code))).toBe(true))

test.each(['23505', '40P01', '42P01', '22003'])('a database that says %s is available', async code =>
  expect(isDatabaseAway(await raised(code))).toBe(false),
)

test('a statement that takes too long is no sign of an unavailable database', async () => {
  const pool = openPool(url, { name: 'slow', settings: { statement_timeout: 500 } }, { max: 1 })
  expect(isDatabaseAway(await faultOf(pool.query('select pg_sleep(20)')))).toBe(false)
  await pool.end()
})

test('a statement canceled before its time counts as unavailability, as when the clock jumps', async () => {
  const pool = openPool(url, { name: 'canceled', settings: { statement_timeout: 60_000 } }, { max: 1 })
  const canceled = later(faultOf(pool.query('select pg_sleep(20)')))
  const cancel = sql`
    select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'canceled' and wait_event = 'PgSleep'`
  await expect.poll(async () => (await cancel.execute(db)).rows).toHaveLength(1)
  expect(isDatabaseAway(await canceled)).toBe(true)
  await pool.end()
})

test('a request blocked by a row lock is told to retry before its statement counts as a fault', async () => {
  const settings = sql<{ sooner: boolean }>`select current_setting('lock_timeout')::interval
    between interval '1 s' and current_setting('statement_timeout')::interval - interval '5 s' as sooner`
  expect((await settings.execute(db)).rows).toEqual([{ sooner: true }])
  await transact(db, async holder => {
    await sql`select pg_advisory_xact_lock(14)`.execute(holder)
    const waiting = db.transaction().execute(async tx => {
      await sql`set local lock_timeout = '100ms'`.execute(tx)
      await sql`select pg_advisory_xact_lock(14)`.execute(tx)
    })
    expect(isDatabaseAway(await faultOf(waiting))).toBe(true)
  })
})

test('a database counts as unavailable if its connections are all taken, ended or refused', async () => {
  const patience = { max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: 1_000 }
  const pool = openPool(url, { name: 'taken' }, patience)
  const taken = await pool.connect()
  expect(isDatabaseAway(await faultOf(pool.connect()))).toBe(true)
  const ended = later(faultOf(taken.query('select pg_sleep(60)')))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'taken'`.execute(db)
  expect(isDatabaseAway(await ended)).toBe(true)
  taken.release(true)
  const nobody = openPool('postgres://me@127.0.0.1:1/x', { name: 'nobody' }, patience)
  expect(isDatabaseAway(await faultOf(nobody.connect()))).toBe(true)
  const gone = openPool('postgres://me@%2Ftmp%2Fno-such-directory/x', { name: 'gone' }, patience)
  expect(isDatabaseAway(await faultOf(gone.connect()))).toBe(true)
  await gone.end()
  await pool.end()
  await nobody.end()
})

test('a database counts as unavailable if it accepts a connection silently, or breaks it before use', async () => {
  const mute = createServer().listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as AddressInfo
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 100 })
  client.on('error', () => {})
  expect(isDatabaseAway(await faultOf(client.connect()))).toBe(true)
  expect(isDatabaseAway(await faultOf(client.query('select 1')))).toBe(true)
  mute.close()
})

const nodes = await openNodes()

test('requests get 503 with Retry-After while the database is unavailable, and no 500', async () => {
  const { proxy, url: DATABASE_URL } = await acrossSilentProxy(nodes.databaseUrl)
  const node = await nodes.another({ DATABASE_URL })
  const olivia = await enter(node as unknown as Parameters<typeof enter>[0], 'olivia')
  proxy.refuse()
  const reply = await fetch(`${node.url}/api/account`, { headers: { authorization: `Bearer ${olivia.token}` } })
  expect(reply.status).toBe(503)
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await reply.json()).toEqual({ message: 'Service Unavailable' })
})
