import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../test/app.ts'
import { compiled } from '../test/compiled.ts'
import { freePort } from '../test/free-port.ts'
import { quarterOf } from '../test/full.ts'
import { later } from '../test/later.ts'
import { newFolder } from '../test/new-folder.ts'
import { postmasterOver } from '../test/postmaster.ts'
import { askToStop, livingPostmaster } from './platform/embedded-database/postmaster.ts'

const program = new URL('main.ts', import.meta.url).pathname
const started: ChildProcess[] = []
let dataDir = ''
let cluster = ''

beforeAll(() => {
  dataDir = newFolder('main')
  cluster = join(dataDir, 'postgres', 'cluster')
})
afterEach(() => {
  for (const server of started.splice(0)) server.kill('SIGKILL')
})
afterAll(async () => {
  for (let left = livingPostmaster(cluster); left; left = livingPostmaster(cluster)) {
    askToStop(left)
    await sleep(20)
  }
})

function run(env: Record<string, string> = {}) {
  const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...compiled, ...env }
  const server = spawn(process.execPath, [program], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(server)
  return server
}

/** A start that must be refused: its exit code and its complete output, each line of it JSON. */
async function refusal(env: Record<string, string> = {}) {
  const server = run(env)
  const said = later(Promise.all([text(server.stdout), text(server.stderr)]))
  const [code] = await once(server, 'close')
  const lines = (await said).join('').trimEnd().split('\n')
  return { code, said: lines.map(line => `${JSON.parse(line).msg}\n`).join('') }
}

async function start(env: Record<string, string> = {}) {
  const server = run(env)
  let said = ''
  server.stderr.on('data', chunk => {
    said += chunk
  })
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk
    const address = /listens on (http:[^\s"]+)/.exec(said)?.[1]
    if (!address) continue
    server.stdout.resume()
    return { server, address, exit: once(server, 'exit') }
  }
  throw new Error(`The server ended: ${said}`)
}

const status = (url: string) =>
  fetch(url, { headers: { connection: 'close' } }).then(
    reply => reply.status,
    () => null,
  )

test('startup fails on a wrong setting with one sentence and nothing else', async () => {
  expect(await refusal({ PORT: 'many' })).toEqual({
    code: 1,
    said: 'PORT is "many", but must be a whole number from 0 to 65535.\n',
  })
})

test('startup fails on an unreachable database with one sentence, and leaves nothing behind', async () => {
  const fresh = join(dataDir, 'fresh', 'data')
  const { code, said } = await refusal({ DATABASE_URL: 'postgres://me:secret-word@127.0.0.1:1/x', DATA_DIR: fresh })
  expect(code).toBe(1)
  expect(existsSync(join(dataDir, 'fresh')), 'nothing stays behind').toBe(false)
  expect(said).toBe('The database at 127.0.0.1:1/x cannot be reached: connect ECONNREFUSED 127.0.0.1:1.\n')
})

test('startup fails on lost secrets before it writes new ones', { tags: 'slow' }, async () => {
  const { server, exit } = await start()
  server.kill('SIGTERM')
  await exit
  const path = join(dataDir, 'secrets.json')
  renameSync(path, `${path}.lost`)
  try {
    const { code, said } = await refusal()
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(`There are no secrets at ${path}, but `) })
    expect(existsSync(path)).toBe(false)
  } finally {
    renameSync(`${path}.lost`, path)
  }
})

test('a second start on the same data directory is refused with the pid of the first, which continues', async () => {
  const { server, address, exit } = await start()
  expect(await refusal()).toEqual({
    code: 1,
    said: `The data directory ${dataDir} is in use by another Afterglow, process ${server.pid}: stop that first, in order, as by kill ${server.pid}.\n`,
  })
  expect(await status(`${address}/readyz`)).toBe(200)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  await stopsInOrder(server, address, exit)
})

/** A single Ctrl-C arrives from the terminal, from npm and from the launcher. */
async function stopsInOrder(server: ChildProcess, address: string, exit: Promise<unknown[]>) {
  for (let times = 0; times < 3; times++) server.kill('SIGINT')
  await expect.poll(() => status(`${address}/readyz`), { interval: 20 }).toBe(503)
  await sleep(400)
  expect(await status(`${address}/healthz`), 'while balancers take notice it still answers').toBe(200)
  expect(await exit).toEqual([0, null])
  expect(livingPostmaster(cluster)).toBeNull()
}

test('a silently vanished client holds up no stop', { tags: 'slow' }, async () => {
  const { server, address, exit } = await start()
  const { hostname, port } = new URL(address)
  const vanished = connect(Number(port), hostname)
  vanished.on('error', () => {})
  vanished.write(
    `GET /realtime/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  await once(vanished, 'data')
  const began = performance.now()
  server.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  expect(performance.now() - began).toBeLessThan(10_000)
  vanished.destroy()
})

test('an unusable address is reported in a sentence, and the database stops', async () => {
  const { code, said } = await refusal({ HOST: '203.0.113.7', PORT: '3000' })
  expect(code).toBe(1)
  // On a machine that has never started it, building the web client begins in the meantime.
  expect(said.replace(/^The web client is being built.*\n/, '')).toBe(
    'Cannot listen on 203.0.113.7 port 3000, as this machine has no such address: set HOST or PORT.\n',
  )
  expect(livingPostmaster(cluster)).toBeNull()
})

test('a start with DATABASE_URL reports that its own filled database is not served', async () => {
  const { said } = await refusal({ DATABASE_URL: 'postgres://me:secret-word@127.0.0.1:1/x' })
  expect(said).toContain(`DATABASE_URL is set, so the database in ${dataDir}/postgres is not served`)
})

test('the service keeps running when its output pipe closes', { tags: 'slow' }, async () => {
  const port = await freePort()
  const server = run({ PORT: String(port) })
  server.stdout.destroy()
  server.stderr.destroy()
  await expect.poll(() => status(`http://127.0.0.1:${port}/readyz`)).toBe(200)
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
})

test('a bucket without keys is reported in a sentence, and the database stops', async () => {
  const STORAGE = 's3://party?endpoint=http://127.0.0.1:1&path_style=1'
  const { code, said } = await refusal({ STORAGE, AWS_EC2_METADATA_DISABLED: 'true', HOME: dataDir })
  expect(code).toBe(1)
  expect(said).toContain('The storage s3://party at http://127.0.0.1:1 needs keys: set AWS_ACCESS_KEY_ID and ')
  expect(livingPostmaster(cluster)).toBeNull()
})

const missing = '/nowhere/at/all'
const wrongs: Record<string, string>[] = [
  { HOST: '203.0.113.7', PORT: '3000' },
  { FFMPEG_PATH: missing },
  { FCM_SERVICE_ACCOUNT: missing },
  { STORAGE: 's3://party?endpoint=http://127.0.0.1:1&path_style=1', AWS_EC2_METADATA_DISABLED: 'true', HOME: missing },
]
test.each(quarterOf('starts that are refused', wrongs, { from: 3 }))(
  'a start that %o refuses has migrated nothing, so the version before can start again',
  async wrong => {
    const { db, url } = await cloneDatabase('template1')
    const { code } = await refusal({ DATABASE_URL: url, DATA_DIR: join(dataDir, 'refused'), ...wrong })
    expect(code).toBe(1)
    const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(db)
    expect(rows).toEqual([])
  },
)

test('a second signal a while later ends the service at once, including its database', { tags: 'slow' }, async () => {
  const { server, exit } = await start()
  const open = postmasterOver(cluster)
  server.kill('SIGTERM')
  process.kill(open.pid, 'SIGSTOP')
  await sleep(1200)
  server.kill('SIGTERM')
  expect(await exit).toEqual([1, null])
  process.kill(open.pid, 'SIGCONT')
  await expect.poll(() => livingPostmaster(cluster)).toBeNull()
})

test('a start after kill -9 adopts the database, and survives a kill of that', {
  tags: 'slow',
}, async () => {
  const { server, exit } = await start()
  const left = postmasterOver(cluster)
  server.kill('SIGKILL')
  await exit

  const next = await start()
  expect(await status(`${next.address}/readyz`)).toBe(200)
  expect(livingPostmaster(cluster)).toEqual(left)

  process.kill(left.pid, 'SIGKILL')
  const seen = new Set<number | null>()
  const ready = async () => {
    const now = await status(`${next.address}/readyz`)
    seen.add(now)
    return now
  }
  await expect.poll(ready).toBe(503)
  await expect.poll(() => livingPostmaster(cluster)?.pid ?? left.pid).not.toBe(left.pid)
  await expect.poll(ready).toBe(200)
  expect([...seen].sort()).toEqual([200, 503])
  await stopsInOrder(next.server, next.address, next.exit)
})
