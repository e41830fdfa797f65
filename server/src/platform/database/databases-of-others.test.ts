import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { enter } from '../../../test/cast.ts'
import { needing } from '../../../test/needing.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { openNodes } from '../../../test/nodes.ts'
import { openPgBouncer } from '../../../test/pgbouncer.ts'
import { pgBouncer } from '../../../test/tools.ts'
import { whenDone } from '../../../test/when-done.ts'
import { openEmbeddedPostgres } from '../embedded-database/embedded-postgres.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { newConnection } from './connection.ts'
import { openDatabase } from './database.ts'
import { isDatabaseUrl, readDatabaseAddress } from './database-address.ts'
import { migrate } from './migrate.ts'
import { findSoundDatabase } from './sound-database.ts'

const ca = new URL('../../../test/tls/authority.pem', import.meta.url).pathname
const home = newFolder('others')
const own = await openEmbeddedPostgres({ directory: home, password: 'secret-word', log: pino({ level: 'silent' }) })
const { url } = own
const admin = openDatabase(own.superuserUrl, { connections: 1 })
whenDone(async () => {
  await admin.destroy()
  await own.stop()
})

const refusalOf = async (of: string) => {
  const fault = await findSoundDatabase(of).then(
    () => null,
    error => error,
  )
  if (fault) expect(fault).toBeInstanceOf(CannotStart)
  return fault?.message ?? ''
}

test('an invalid address, or one that asks for less than writes, is refused', () => {
  for (const wrong of [
    '',
    'mysql://a/b',
    'postgres://a:x/b',
    'postgres://a:0/b',
    'postgres://[::1/b',
    'postgres://a:99999/b',
  ])
    expect(isDatabaseUrl(wrong), wrong).toBe(false)
  for (const mode of ['prefer', 'verify-ca', 'loud'])
    expect(() => readDatabaseAddress(`postgres://u:secret-word@h/d?sslmode=${mode}`)).toThrow(CannotStart)
  for (const several of ['postgres://one,two:5433/d', 'postgres:///d?host=one,two'])
    expect(() => readDatabaseAddress(several)).toThrow(/names several hosts: name one/)
  expect(() => readDatabaseAddress('postgres://h/d?target_session_attrs=standby')).toThrow(/but Afterglow writes/)
  expect(() => readDatabaseAddress('postgres://h/d?sslmode=require&sslrootcert=/nowhere')).toThrow(/\/nowhere.*ENOENT/)
})

test('addresses are parsed as psql parses them', () => {
  expect(readDatabaseAddress('postgres://u:p%40w@[::1]:7/party?target_session_attrs=read-write')).toMatchObject({
    at: { host: '::1', port: 7 },
    user: 'u',
    password: 'p@w',
    database: 'party',
    place: '::1:7/party',
  })
  expect(readDatabaseAddress('postgresql:///d?host=/run/pg&user=u').at).toEqual({ host: '/run/pg', port: 5432 })
  expect(readDatabaseAddress('postgres://h/d?sslmode=require').ssl).toEqual({ rejectUnauthorized: false })
  expect(readDatabaseAddress(`postgres://h/d?sslmode=verify-full&sslrootcert=${ca}`).ssl).toEqual({
    ca: readFileSync(ca, 'utf8'),
  })
})

needing(pgBouncer).test(
  'TLS addresses of providers work without a warning, and a wrong certificate is refused',
  async () => {
    const warnings: unknown[] = []
    const warned = (warning: unknown) => warnings.push(warning)
    process.on('warning', warned)
    const secure = await openPgBouncer(url, 'session', true)
    const connects = async (query: string, of = secure) => {
      const client = newConnection(of + query, { name: 'tls' })
      await client.connect()
      await client.end()
    }
    await connects('?sslmode=require')
    await connects(`?sslmode=verify-full&sslrootcert=${ca}`)
    await connects(`?sslmode=verify-full&sslrootcert=${ca}`, secure.replace('localhost', '127.0.0.1'))
    await connects(`?sslmode=require&sslrootcert=${ca}`)
    await expect(connects('')).rejects.toThrow(/SSL required/)
    await expect(connects('?sslmode=verify-full')).rejects.toThrow(/certificate/)
    process.off('warning', warned)
    expect(warnings).toEqual([])
  },
)

needing(pgBouncer).test(
  'the service works through PgBouncer in session mode, including jobs and channel',
  { tags: 'slow' },
  async () => {
    const through = await openPgBouncer(url, 'session')
    const db = openDatabase(through, { connections: 4, plansOnce: true })
    const { rows } =
      await sql`select current_setting('plan_cache_mode') as plan, current_setting('statement_timeout') as most`.execute(
        db,
      )
    expect(rows).toEqual([{ plan: 'force_generic_plan', most: '30s' }])
    await db.destroy()
    const { first } = await openNodes({ DATABASE_URL: through })
    const olivia = await enter(first as unknown as Parameters<typeof enter>[0], 'olivia')
    expect((await olivia.api.accounts.readAccount()).user_email).toBe(olivia.email)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  },
)

needing(pgBouncer).test(
  'a pooler in transaction or statement mode is recognised and refused with a sentence',
  async () => {
    for (const mode of ['transaction', 'statement'] as const) {
      const client = await openPgBouncer(url, mode)
      expect(await refusalOf(client)).toMatch(/hands connections around between transactions/)
    }
  },
)

test('a database in LATIN1 and a role without rights are refused with a sentence', async () => {
  const name = `other_${randomUUID().replaceAll('-', '')}`
  const role = `${name}_role`
  await sql`create role ${sql.id(role)} login password 'secret-word'`.execute(admin)
  const [latin, closed, bare] = [`${name}_latin`, `${name}_closed`, `${name}_bare`]
  await sql`create database ${sql.id(latin)} encoding 'LATIN1' locale 'C' template template0`.execute(admin)
  await sql`create database ${sql.id(closed)} template template0`.execute(admin)
  await sql`create database ${sql.id(bare)} template template0 owner ${sql.id(role)}`.execute(admin)
  const as = (database: string) =>
    url.replace(/\/\/[^@]*@/, `//${role}:secret-word@`).replace(/\/[^/]*$/, `/${database}`)
  expect(await refusalOf(as(latin))).toMatch(/is in LATIN1.* encoding 'UTF8'/)
  expect(await refusalOf(as(closed))).toMatch(
    /does not let \w+ make tables in the schema public: run, as its administrator/,
  )
  expect(await refusalOf(as(bare))).toBe('')
  await sql`revoke create on database ${sql.id(bare)} from ${sql.id(role)}`.execute(admin)
  expect(await refusalOf(as(bare))).toMatch(/does not let \w+ make the extension pg_trgm/)
  const db = openDatabase(as(closed), { connections: 1 })
  await expect(migrate(db)).rejects.toThrow(/does not let its role change what is in it/)
  await db.destroy()
})
