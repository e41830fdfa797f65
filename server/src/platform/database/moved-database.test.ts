import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder } from '../../../test/new-folder.ts'
import { whenDone } from '../../../test/when-done.ts'
import { copyCluster } from '../backup/cluster-copy.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../embedded-database/embedded-postgres.ts'
import { openReadiness, type Readiness } from '../observability/readiness.ts'
import { type Database, openDatabase } from './database.ts'
import { readDatabaseAddress } from './database-address.ts'
import { readMigrations } from './migrations.ts'
import { findSoundDatabase } from './sound-database.ts'

const log = pino({ level: 'silent' })
const root = newFolder('hosts')
const start = (name: string) => openEmbeddedPostgres({ directory: join(root, name), password: 'secret-word', log })

let primary: EmbeddedPostgres
let standby: EmbeddedPostgres
/** An address as a balancer or a virtual one is: it leads to one of the two, and cuts what led to the other. */
let leadTo = (_: EmbeddedPostgres) => {}
let db: Database
let readiness: Readiness
const write = () => sql`insert into acts default values`.execute(db).then(() => 'written')

const openAddress = async (to: EmbeddedPostgres) => {
  let socketPath = ''
  const open = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(socketPath)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      open.add(one.on('error', () => {}).on('close', () => other.destroy() && open.delete(one)))
    near.pipe(far).pipe(near)
  })
  leadTo = ({ url }) => {
    socketPath = `${readDatabaseAddress(url).at.host}/.s.PGSQL.5432`
    for (const socket of open) socket.destroy()
  }
  leadTo(to)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  whenDone(() => server.close())
  return to.url.replace(/@[^/]*\//, `@127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

beforeAll(async () => {
  primary = await start('one')
  db = openDatabase(primary.url, { connections: 1 })
  await sql`create table acts (id bigserial); create table migrations (name text)`.execute(db)
  await sql.raw((await readMigrations()).find(({ name }) => name.endsWith('_processes.sql'))?.text ?? '').execute(db)
  await db.destroy()
  mkdirSync(join(root, 'two'))
  await copyCluster(primary.superuserUrl, join(root, 'one', 'cluster'), join(root, 'two'))
  writeFileSync(join(root, 'two', 'cluster', 'standby.signal'), '')
  standby = await start('two')
  const url = await openAddress(primary)
  db = openDatabase(url, { connections: 4 })
  readiness = openReadiness({ url, pool: db, hasRoom: async () => true })
})
afterAll(async () => {
  await readiness?.close()
  await db?.destroy()
  await primary?.stop()
  await standby?.stop()
})

test('a standby is refused with a sentence', async () => {
  await Promise.all([write(), write(), write(), write()])
  expect(await readiness.whyNot()).toBe(undefined)
  await expect(findSoundDatabase(standby.url)).rejects.toThrow(
    'takes no writes (it is a standby, or set to read only): name the one that does.',
  )
})

test('the open pool and the readiness check find the new primary at the same address after a failover', async () => {
  await primary.stop()
  await expect.poll(() => readiness.whyNot()).toBe('no database')
  await expect(write()).rejects.toThrow()
  const admin = openDatabase(standby.superuserUrl, { connections: 1 })
  await sql`select pg_promote()`.execute(admin)
  await admin.destroy()
  leadTo(standby)
  await expect.poll(() => write().catch(() => 'not yet')).toBe('written')
  await Promise.all([write(), write(), write(), write()])
  await expect.poll(() => readiness.whyNot()).toBe(undefined)
})

test('connections to a server that stops accepting writes without closing them are not reused', async () => {
  await Promise.all([1, 2, 3, 4].map(() => sql`set default_transaction_read_only = on`.execute(db)))
  await expect(Promise.all([write(), write(), write(), write()])).rejects.toThrow(/read-only/)
  await expect.poll(() => write().catch(() => 'not yet')).toBe('written')
  await Promise.all([write(), write(), write(), write()])
})
