import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { pruneChanges } from '../../log/changes-sql.ts'
import { tables } from '../../slices.ts'
import { growing as growingOf, oldestRows } from '../database/growing-tables.ts'
import { tidyUp } from './housekeeping.ts'

const growing = growingOf(tables)
const app = await openTestApp()

test('expired rows are deleted, and nothing else', async () => {
  const gus = await enter(app, 'gus')
  const gone = await enter(app, 'remy')
  await sql`update devices set token_expires_at = now() - interval '1 second' where user_id = ${gone.id}`.execute(
    app.db,
  )
  await sql`insert into idempotency_keys (user_id, operation, key_hash, fingerprint, created_at) values
    (1, 'x', 'old', '', now() - interval '25 hours'), (1, 'x', 'young', '', now() - interval '23 hours')`.execute(
    app.db,
  )
  await tidyUp(app.db, growing)
  const keys = await app.db.selectFrom('idempotency_keys').select('key_hash').execute()
  const devices = await app.db.selectFrom('devices').select('user_id').execute()
  expect(keys).toEqual([{ key_hash: Buffer.from('young') }])
  expect(devices).toEqual([{ user_id: gus.id }])
})

test('any number of expired rows is deleted, and a failing table does not hold up others', async () => {
  await sql`insert into idempotency_keys (user_id, operation, key_hash, fingerprint, created_at)
    select 1, 'x', sha256(n::text::bytea), ''::bytea, now() - interval '25 hours' from generate_series(1, 25000) n`.execute(
    app.db,
  )
  await sql`insert into changes (kind, audience, user_id, actor_id, subject_id, created_at)
    select 'x', 'user', 1, 1, 1, now() - interval '8 days' from generate_series(1, 25000)`.execute(app.db)
  const fails = () => Promise.reject(new Error('always'))
  await expect(
    tidyUp(app.db, growing, { account_exports: fails, changes: () => pruneChanges(app.db) }),
  ).rejects.toThrow('not every table could be tidied')
  const left = await sql<{ keys: number; changes: number }>`select
    (select count(*) from idempotency_keys where created_at < now() - interval '24 hours') as keys,
    (select count(*) from changes where created_at < now() - interval '7 days') as changes`.execute(app.db)
  expect(left.rows).toEqual([{ keys: 0, changes: 0 }])
})

test('the metrics show the oldest row’s age for every growing table', async () => {
  await sql`insert into mails_asked (address_hash, created_at) values ('', now() - interval '30 hours')`.execute(app.db)
  const oldest = await oldestRows(app.db, growing)
  expect(oldest.map(({ table }) => table)).toEqual(growing.map(({ table }) => table))
  expect(oldest.find(({ table }) => table === 'mails_asked')?.seconds).toBeCloseTo(30 * 3600, -2)
  await tidyUp(app.db, growing)
  expect((await oldestRows(app.db, growing)).find(({ table }) => table === 'mails_asked')?.seconds).toBeLessThan(3600)
})
