import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { postmasterOver } from '../../../test/postmaster.ts'
import { newConnection } from '../database/connection.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { openEmbeddedPostgres } from './embedded-postgres.ts'
import { answers, servicePassword, serviceRole } from './postgres-address.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { clusterUser } from './postgres-cluster.ts'
import { askToStop, livingPostmaster, startPostmaster } from './postmaster.ts'

const log = pino({ level: 'silent' })
const password = 'p@ss/word'
let root = ''
let directory = ''
let cluster = ''

const open = (settings?: string[]) => openEmbeddedPostgres({ directory, password, log, settings })

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows?.flat() ?? []
  } finally {
    await client.end()
  }
}

/** A server process that opens the database and stays, to be killed. */
async function openElsewhere() {
  const program = `
    import { openEmbeddedPostgres } from ${JSON.stringify(new URL('embedded-postgres.ts', import.meta.url).href)}
    const log = { info() {}, warn() {}, error() {} }
    const { url } = await openEmbeddedPostgres({ directory: process.argv[1], password: process.argv[2], log })
    console.log(url)
    setInterval(() => {}, 1000)`
  const server = spawn(process.execPath, ['--input-type=module', '-e', program, '--', directory, password], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(createInterface(server.stdout), 'line')
  return { server, url: String(url) }
}

beforeAll(() => {
  root = newFolder('postgres')
  directory = join(root, 'postgres')
  cluster = join(directory, 'cluster')
})

test('the first start creates a durable database that only its owner may read, below a closed directory', async () => {
  const database = await open()
  try {
    expect(statSync(root).mode & 0o777).toBe(0o700)
    expect(statSync(cluster).mode & 0o777).toBe(0o700)
    await query(database.url, 'create table kept (id int)')
    const asked = await query(
      database.url,
      `select current_setting(name) from unnest(array['fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding',
       'TimeZone', 'listen_addresses', 'password_encryption']) as name`,
    )
    expect(asked).toEqual(['on', 'on', 'on', 'UTF8', 'UTC', '', 'scram-sha-256'])
    expect(statSync(join(directory, 'socket')).mode & 0o777).toBe(0o700)
    const rights = 'select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls from pg_roles'
    expect(await query(database.url, `${rights} where rolname = current_user`)).toEqual([false])
    expect(
      await query(database.url, 'select datdba::regrole::text from pg_database where datname = current_database()'),
    ).toEqual([serviceRole])
  } finally {
    await database.stop()
  }
})

test('stop shuts the database down, even twice, and the next start finds its data', async () => {
  const database = await open()
  await query(database.url, 'insert into kept values (1)')
  await Promise.all([database.stop(), database.stop()])
  expect(livingPostmaster(cluster)).toBeNull()
  const again = await open()
  expect(await query(again.url, 'select id from kept')).toEqual([1])
  await again.stop()
})

test('a database left by a killed server is adopted, unless it was started with other settings', async () => {
  const { server, url } = await openElsewhere()
  await query(url, 'insert into kept values (2)')
  const left = livingPostmaster(cluster)
  server.kill('SIGKILL')
  await once(server, 'exit')
  const database = await open()
  expect(database.url).toBe(url)
  expect(livingPostmaster(cluster)).toEqual(left)
  await database.stop()

  const second = await openElsewhere()
  second.server.kill('SIGKILL')
  await once(second.server, 'exit')
  const changed = await open(['work_mem=5MB'])
  expect(await query(changed.url, 'show work_mem')).toEqual(['5MB'])
  expect(await query(changed.url, 'select id from kept order by id')).toEqual([1, 2])
  await changed.stop()
})

test('a killed database returns at the same address by itself, with every acknowledged row', async () => {
  const database = await open()
  await query(database.url, 'insert into kept values (3)')
  const first = postmasterOver(cluster)
  process.kill(first.pid, 'SIGKILL')
  await expect.poll(() => query(database.url, 'select id from kept order by id')).toEqual([1, 2, 3])
  expect(livingPostmaster(cluster)?.pid).not.toBe(first.pid)
  await database.stop()
})

test('a start succeeds after server and database were killed together and another program got the pid', async () => {
  const { server, url } = await openElsewhere()
  await query(url, 'insert into kept values (4)')
  const pidFile = join(cluster, 'postmaster.pid')
  const stranger = spawn('sleep', ['60'], { ...clusterUser(cluster) })
  try {
    const [pid, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
    server.kill('SIGKILL')
    process.kill(Number(pid), 'SIGKILL')
    await once(server, 'exit')
    writeFileSync(pidFile, [stranger.pid, ...rest].join('\n'))
    const database = await open()
    expect(await query(database.url, 'select id from kept order by id')).toEqual([1, 2, 3, 4])
    await database.stop()
  } finally {
    stranger.kill()
  }
})

test('tables that an earlier version made as superuser belong to the role after the next start, and no port admits', async () => {
  const before = await open()
  await query(
    before.superuserUrl,
    `alter database postgres owner to afterglow; reassign owned by ${serviceRole} to afterglow; drop role ${serviceRole};
     create schema queue; create type mood as enum ('calm'); create table queue.old (id bigserial, mood mood);
     create function queue.one() returns int language sql return 1; create view queue.seen as select * from queue.old;
     create extension pg_trgm; insert into queue.old (mood) values ('calm')`,
  )
  await before.stop()
  writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\nhost all all 127.0.0.1/32 trust\n')

  const after = await open()
  expect(await query(after.url, 'select id from kept order by id')).toEqual([1, 2, 3, 4])
  await query(
    after.url,
    `alter table kept add column more int; alter table queue.old add column more int; drop view queue.seen;
     alter type mood add value 'merry'; drop function queue.one(); insert into queue.old (mood) values ('calm');
     create table public.new (id int); alter schema queue rename to jobs; select similarity('a', 'b')`,
  )
  const rules = await query(after.superuserUrl, 'select type, auth_method from pg_hba_file_rules')
  expect(rules).toEqual(['local', 'scram-sha-256'])
  await after.stop()
})

test('a refused cluster is unchanged, so the version that made it opens it by its port and role', async () => {
  const before = await open()
  await query(
    before.superuserUrl,
    `alter database postgres owner to afterglow; reassign owned by ${serviceRole} to afterglow; drop role ${serviceRole}`,
  )
  await before.stop()
  const rules = join(cluster, 'pg_hba.conf')
  const asMade = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n'
  writeFileSync(rules, asMade)
  const refused = openEmbeddedPostgres({
    directory,
    password,
    log,
    demand: async url => {
      expect(await query(url, 'select count(*) from kept')).toEqual(['4'])
      throw new CannotStart('not by this version')
    },
  })
  await expect(refused).rejects.toThrow('not by this version')
  expect(livingPostmaster(cluster)).toBeNull()
  expect(readFileSync(rules, 'utf8')).toBe(asMade)

  const port = await freePort()
  const { postgres } = await findPostgresBinaries(clusterUser(cluster))
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  await startPostmaster(postgres, cluster, clusterUser(cluster), settings, join(directory, 'postgres.log'))
  const url = `postgres://afterglow:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  await expect.poll(() => answers(url)).toBe(true)
  expect(await query(url, `select count(*) from pg_roles where rolname = '${serviceRole}'`)).toEqual(['0'])
  askToStop(postmasterOver(cluster))
  await expect.poll(() => livingPostmaster(cluster)).toBeNull()
})

test('an impostor in the database’s place receives no password and no statement', async () => {
  const { url, superuserUrl, stop } = await open()
  await stop()
  const socket = join(directory, 'socket', '.s.PGSQL.5432')
  const asksInClear = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3])
  const letsIn = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73])
  for (const reply of [asksInClear, letsIn]) {
    const heard: Buffer[] = []
    const impostor = createServer(other => {
      other.on('error', () => {})
      other.on('data', chunk => heard.push(chunk))
      other.once('data', () => other.write(reply))
    })
    impostor.listen(socket)
    await once(impostor, 'listening')
    for (const address of [url, superuserUrl]) {
      const client = newConnection(address, { name: 'honest' })
      await expect(client.connect()).rejects.toThrow('does not prove that it is the database')
    }
    impostor.close()
    await once(impostor, 'close')
    const said = Buffer.concat(heard).toString('latin1')
    expect(said).toContain(serviceRole)
    for (const secret of [password, servicePassword(password), 'select']) expect(said).not.toContain(secret)
  }
})

test('a directory whose path is too long for a socket works too', async () => {
  const long = join(root, 'a-long-name'.repeat(9), 'postgres')
  mkdirSync(long, { recursive: true })
  const database = await openEmbeddedPostgres({ directory: long, password, log })
  expect(await query(database.url, 'select 1')).toEqual([1])
  await database.stop()
})

test('wrong secrets are refused, and nothing is left running', async () => {
  await expect(openEmbeddedPostgres({ directory, password: 'another', log })).rejects.toThrow(
    'The embedded database was made with other secrets',
  )
  expect(livingPostmaster(cluster)).toBeNull()
})

test('a database that cannot start says why', async () => {
  await expect(open(['shared_buffers=1'])).rejects.toThrow(/does not start: .*FATAL.*shared_buffers/)
})
