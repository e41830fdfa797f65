import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readDatabaseAddress } from '../src/platform/database/database-address.ts'
import { freePort } from './free-port.ts'
import { newFolder } from './new-folder.ts'
import { openSilentProxy } from './silent-proxy.ts'
import { pgBouncer } from './tools.ts'
import { whenDone } from './when-done.ts'

const nobody = 65534

/** PgBouncer in front of the database of this URL, ended with the test; returns the URL through it. */
export const openPgBouncer = async (url: string, mode: 'session' | 'transaction' | 'statement', tls = false) => {
  const { at, user, password, database } = readDatabaseAddress(url)
  const { port: behind } = await openSilentProxy(`${at.host}/.s.PGSQL.5432`)
  const home = newFolder('pgbouncer')
  const port = await freePort()
  const certificate = (name: string) => new URL(`./tls/${name}`, import.meta.url).pathname
  const secure = `client_tls_sslmode = require
client_tls_key_file = ${certificate('localhost.key.pem')}
client_tls_cert_file = ${certificate('localhost.pem')}`
  writeFileSync(join(home, 'users'), `"${user}" "${password}"\n`)
  writeFileSync(
    join(home, 'ini'),
    `[databases]
* = host=127.0.0.1 port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(home, 'users')}
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 200
${tls ? secure : ''}
`,
  )
  const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if (asNobody.uid) for (const path of [home, join(home, 'ini'), join(home, 'users')]) chownSync(path, nobody, nobody)
  chmodSync(home, 0o700)
  const child = spawn(pgBouncer.path() ?? '', [join(home, 'ini')], { stdio: 'ignore', ...asNobody })
  const gone = once(child, 'exit')
  whenDone(async () => {
    child.kill('SIGKILL')
    await gone
  })
  while (!(await listens(port))) await sleep(50)
  return `postgres://${user}:${password}@localhost:${port}/${database}`
}

const listens = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.end())
    socket.once('close', failed => resolve(!failed)).on('error', () => {})
  })
