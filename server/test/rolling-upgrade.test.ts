import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newConnection } from '../src/platform/database/connection.ts'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import { migrateAtStart, migrationsToCome } from '../src/platform/database/migrate.ts'
import { registerProcess } from '../src/platform/database/registered-process.ts'
import { cloneDatabase } from './app.ts'

/** Reverts the newest declared migrations. */
const before = async (db: Database) => {
  await sql`drop table processes`.execute(db)
  await sql`alter table jobs drop column deaths, drop column held_since, drop column failing_since`.execute(db)
  await sql`delete from migrations where name like '%_processes.sql' or name like '%_jobs_that_kill.sql'`.execute(db)
}
/** A process of a version that does not report that it lives. */
const olderProcess = async (url: string) => {
  const client = newConnection(url, { name: 'afterglow channel' })
  await client.connect()
  return { end: () => client.end() }
}

test('a start beside an older process applies migrations that it survives, and no writer waits long or fails', async () => {
  const { db, url } = await cloneDatabase()
  await before(db)
  const older = await olderProcess(url)
  const busy = openDatabase(url, { connections: 4 })
  let stop = false
  const waits: number[] = []
  const writing = Promise.all(
    [1, 2, 3, 4].map(async () => {
      while (!stop) {
        const at = performance.now()
        await busy.transaction().execute(async tx => {
          await sql`insert into jobs (task, payload) values ('note', '{}')`.execute(tx)
          await sleep(5)
          await sql`insert into job_lanes (name) values (gen_random_uuid()::text)`.execute(tx)
        })
        waits.push(performance.now() - at)
      }
    }),
  )
  const long = openDatabase(url, { connections: 1 })
  const holding = long.transaction().execute(async tx => {
    await sql`insert into jobs (task, payload) values ('long', '{}')`.execute(tx)
    await sleep(1_500)
  })
  await sleep(100)
  await migrateAtStart(url)
  stop = true
  await Promise.all([writing, holding])
  expect(await migrationsToCome(url)).toEqual([])
  expect(Math.max(...waits)).toBeLessThan(2_500)
  await busy.destroy()
  await long.destroy()
  await older.end()
})

test('other migrations wait until the older process has ended, and the start says for which one', async () => {
  const { db, url } = await cloneDatabase()
  await sql`delete from migrations where name = '0135_declined.sql'`.execute(db)
  await sql`drop function has_declined`.execute(db)
  const older = await olderProcess(url)
  await expect(migrateAtStart(url)).rejects.toThrow(
    /^Older processes still serve this database \(1 sessions of a version before 0\.2\), and 0135_declined\.sql cannot be applied beside them: stop them/,
  )
  expect(await migrationsToCome(url)).toHaveLength(1)
  const starting = migrateAtStart(url)
  await sleep(300)
  await older.end()
  await starting
  expect(await migrationsToCome(url)).toEqual([])
}, 30_000)

test('a process that reports its version is named by it, and one of this version is no obstacle', async () => {
  const { db, url } = await cloneDatabase()
  const registered = await registerProcess(url)
  await sql`update processes set version = '0.0.9', host = 'box-a', newest_migration = '0001_accounts.sql'`.execute(db)
  await sql`delete from migrations where name = '0135_declined.sql'`.execute(db)
  await sql`drop function has_declined`.execute(db)
  await expect(migrateAtStart(url)).rejects.toThrow(/\(0\.0\.9 on box-a since /)
  await sql`update processes set newest_migration = '9999'`.execute(db)
  await migrateAtStart(url)
  expect(await migrationsToCome(url)).toEqual([])
  await registered.client.end()
}, 30_000)
