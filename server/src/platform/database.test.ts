import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/app.ts'
import { transact } from './database.ts'

const { db } = await cloneDatabase()

test('a connection that breaks between two statements of a transaction fails that transaction and nothing else', async () => {
  const cut = transact(db, async tx => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
    const alive = () => sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(db)
    await expect.poll(async () => (await alive()).rows.length).toBe(0)
    // Its last word is here before the next statement goes.
    await new Promise(resolve => setTimeout(resolve, 50))
    await sql`select`.execute(tx)
  })
  await expect(cut).rejects.toThrow(/connection error|not queryable|terminated/i)
  expect((await sql`select`.execute(db)).rows).toHaveLength(1)
})
