import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atTheLatest, descendantsOf, freePort, isAlive, killPostgres, postmasterOf, signal } from './processes.ts'
import { ServerProcess } from './server-process.ts'
import { query, type Sql } from './sql.ts'

/** The service as `npm start` runs it, seen from outside: a program with a port, a directory and a database. */
export type Service = {
  url: string
  port: number
  dataDir: string
  mediaDir: string
  /** Reads a stored file by its hash. */
  stored(sha256: string): Promise<Buffer | undefined>
  logFile: string
  metricsUrl: string
  /** Tells whether the server process is running. */
  isUp(): boolean
  /** Starts it again; resolves with the milliseconds until its first 200. */
  start(more?: Record<string, string>): Promise<number>
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>
  /** Kills all processes of its embedded database with SIGKILL. */
  killDatabase(): Promise<void>
  /** The pids of picture decoders and video converters. */
  workers(): number[]
  sql: Sql
  close(): Promise<void>
}

/** An edit of one source file, applied as it is loaded. */
export type Edit = { file: string; from: string; to: string }

export type ProofServiceOptions = {
  directory: string
  /** The repository, or a copy of it. */
  root: string
  env?: Record<string, string>
  edits?: readonly Edit[]
  /** A program that runs the server, such as faketime. */
  wrapper?: readonly string[]
  /** An external database, and the secrets that belong to it. */
  databaseUrl?: string
  secretsFile?: string
  port?: number
  /** Reads stored files if they are not on disk. */
  stored?: Service['stored']
}

const generous = {
  RATE_LIMIT_FACTOR: '1000000',
  SIGN_INS_PER_ADDRESS: '1000000',
  PHOTOS_PER_GUEST: '1000000',
  FREE_MB_MIN: '0',
}

export const startService = async (opening: ProofServiceOptions): Promise<Service> => {
  const { directory, env = {} } = opening
  const dataDir = join(directory, 'data')
  mkdirSync(dataDir, { recursive: true })
  const logFile = join(directory, 'service.log')
  const port = opening.port ?? (await freePort())
  const metricsPort = await freePort()
  const url = `http://127.0.0.1:${port}`
  const cluster = join(dataDir, 'postgres', 'cluster')
  const server = new ServerProcess({
    ...programOf(opening),
    env: environmentOf(opening, { DATA_DIR: dataDir, PORT: String(port), METRICS_PORT: String(metricsPort) }),
    url,
    logFile,
  })
  const forget = atTheLatest(() => {
    if (server.pid && server.runs()) signal(server.pid, 'SIGKILL')
    const left = postmasterOf(cluster)
    if (left !== undefined) signal(left, 'SIGQUIT')
  })

  const service: Service = {
    url,
    port,
    dataDir,
    mediaDir: env.MEDIA_DIR ?? join(dataDir, 'media'),
    stored: opening.stored ?? (sha256 => onDisk(service.mediaDir, sha256)),
    logFile,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    isUp: () => server.runs(),
    start: more => server.start(more),
    kill: async () => void (await server.end('SIGKILL')),
    stop: () => server.end('SIGTERM'),
    killDatabase: () => killPostgres(cluster),
    workers: () => (server.pid ? descendantsOf(server.pid) : []),
    sql: (text, values) => query(databaseOf(opening, dataDir), text, values),
    async close() {
      forget()
      await server.end('SIGTERM')
      await endPostgres(cluster)
    },
  }
  try {
    await service.start()
    return service
  } catch (fault) {
    await service.close()
    throw fault
  }
}

const programOf = ({ root, edits = [], wrapper = [] }: ProofServiceOptions) => {
  const editing = edits.length > 0 ? ['--import', new URL('../source-edits.ts', import.meta.url).pathname] : []
  return { cwd: root, words: [...wrapper, process.execPath, ...editing, join(root, 'server/src/main.ts')] }
}

const environmentOf = (
  { root, env, edits = [], databaseUrl, secretsFile }: ProofServiceOptions,
  places: { DATA_DIR: string; PORT: string; METRICS_PORT: string },
) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  ...generous,
  ...places,
  ...(edits.length > 0 && { PROOF_EDITS: JSON.stringify(edits) }),
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  ...(secretsFile && { SECRETS_FILE: secretsFile }),
  ...env,
})

const databaseOf = ({ databaseUrl }: ProofServiceOptions, dataDir: string) => {
  if (databaseUrl) return { connectionString: databaseUrl }
  const { databasePassword } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  return { host: join(dataDir, 'postgres', 'socket'), user: 'afterglow', password: databasePassword }
}

const endPostgres = async (cluster: string) => {
  for (let pid = postmasterOf(cluster); pid !== undefined; pid = postmasterOf(cluster)) {
    signal(pid, 'SIGQUIT')
    for (let waited = 0; isAlive(pid) && waited < 100; waited++) await sleep(20)
  }
}

/** Reads a file from a media directory. */
export const onDisk = async (media: string, sha256: string): Promise<Buffer | undefined> => {
  const path = join(media, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  return existsSync(path) ? readFileSync(path) : undefined
}

/** Builds the web client once up front, or every killed server would start building it. */
export const buildWebClient = async (root: string): Promise<void> => {
  if (!existsSync(join(root, 'bin/build.ts'))) return
  const child = spawn(process.execPath, [join(root, 'bin/build.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
}
