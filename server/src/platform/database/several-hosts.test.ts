import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyCluster } from '../backup/cluster-copy.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../embedded-database/embedded-postgres.ts'
import { openReadiness, type Readiness } from '../observability/readiness.ts'
import { type Database, openDatabase } from './database.ts'
import { readDatabaseAddress } from './database-address.ts'
import { findSoundDatabase } from './sound-database.ts'

const log = pino({ level: 'silent' })
const root = mkdtempSync(join(tmpdir(), 'afterglow-hosts-'))
const start = (name: string) => openEmbeddedPostgres({ directory: join(root, name), password: 'secret-word', log })

let primary: EmbeddedPostgres
let standby: EmbeddedPostgres
let both = ''
let db: Database
let readiness: Readiness
const write = () => sql`insert into acts default values`.execute(db).then(() => 'written')

beforeAll(async () => {
  primary = await start('one')
  db = openDatabase(primary.url, { connections: 1 })
  await sql`create table acts (id bigserial); create table migrations (name text)`.execute(db)
  await db.destroy()
  mkdirSync(join(root, 'two'))
  await copyCluster(primary.superuserUrl, join(root, 'one', 'cluster'), join(root, 'two'))
  writeFileSync(join(root, 'two', 'cluster', 'standby.signal'), '')
  standby = await start('two')
  const names = [standby, primary].map(({ url }) => encodeURIComponent(readDatabaseAddress(url).hosts[0]?.host ?? ''))
  both = primary.url.replace(/@[^/]*\//, `@${names.join(',')}/`).concat('&target_session_attrs=read-write')
  db = openDatabase(both, { connections: 4 })
  readiness = openReadiness(both)
}, 180_000)
afterAll(async () => {
  await readiness?.close()
  await db?.destroy()
  await primary?.stop()
  await standby?.stop()
  rmSync(root, { recursive: true, force: true })
})

test('of several hosts the one that takes writes is used, and a standby alone is refused in a sentence', async () => {
  expect(await findSoundDatabase(both)).toMatch(/^18\./)
  await Promise.all([write(), write(), write(), write()])
  expect(await readiness.isReady()).toBe(true)
  await expect(findSoundDatabase(standby.url)).rejects.toThrow(
    'takes no writes (it is a standby, or set to read only): name the one that does.',
  )
})

test('after a failover the open pool, and what asks for readiness, go to the new primary by themselves', async () => {
  await primary.stop()
  await expect.poll(() => readiness.isReady()).toBe(false)
  await expect(write()).rejects.toThrow()
  const admin = openDatabase(standby.superuserUrl, { connections: 1 })
  await sql`select pg_promote()`.execute(admin)
  await admin.destroy()
  await expect.poll(() => write().catch(() => 'not yet')).not.toBe('not yet')
  await Promise.all([write(), write(), write(), write()])
  await expect.poll(() => readiness.isReady()).toBe(true)
})

test('a host that stops taking writes without closing its connections is left', async () => {
  const admin = openDatabase(standby.superuserUrl, { connections: 1 })
  await sql`alter role afterglow_service set default_transaction_read_only = on`.execute(admin)
  await Promise.all([1, 2, 3, 4].map(() => sql`set default_transaction_read_only = on`.execute(db)))
  primary = await start('one')
  await expect(Promise.all([write(), write(), write(), write()])).rejects.toThrow(/read-only/)
  await expect.poll(() => write().catch(() => 'not yet')).not.toBe('not yet')
  await Promise.all([write(), write(), write(), write()])
  await admin.destroy()
})
