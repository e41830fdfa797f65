import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, types } from 'pg'
import {
  atTheLatest,
  descendantsOf,
  freePort,
  isAlive,
  killPostgres,
  patienceMs,
  postmasterOf,
  signal,
} from './processes.ts'

export type Row = Record<string, unknown>
export type Sql = <Of extends Row = Row>(text: string, values?: unknown[]) => Promise<Of[]>

/** The service as `npm start` runs it, seen from outside: a program with a port, a directory and a database. */
export type Service = {
  url: string
  port: number
  dataDir: string
  mediaDir: string
  /** What lies in its storage under a hash. */
  stored(sha256: string): Promise<Buffer | undefined>
  logFile: string
  metricsUrl: string
  /** Of the server. */
  isUp(): boolean
  /** Starts it once more; milliseconds to the first 200. */
  start(more?: Record<string, string>): Promise<number>
  /** Without a word: kill -9. */
  kill(): Promise<void>
  /** Its exit code, after SIGTERM. */
  stop(): Promise<number | null>
  /** All processes of its own database at once: kill -9. */
  killDatabase(): Promise<void>
  /** What decodes pictures and converts films. */
  workers(): number[]
  sql: Sql
  /** Ends everything that it began. */
  close(): Promise<void>
}

/** A change of one source as it is read. */
export type Edit = { file: string; from: string; to: string }

export type Opening = {
  directory: string
  /** The repository, or a copy of it. */
  root: string
  env?: Record<string, string>
  edits?: readonly Edit[]
  /** What runs the server instead of Node alone. */
  wrapper?: readonly string[]
  /** A database that is not its own, and the secrets that it was made with. */
  databaseUrl?: string
  secretsFile?: string
  port?: number
  /** Where its files lie, if not on disk. */
  stored?: Service['stored']
}

export const doesNotStart = 'The service does not start'
const startsAtMost = 5
const generous = {
  RATE_LIMIT_FACTOR: '1000000',
  SIGN_INS_PER_ADDRESS: '1000000',
  PHOTOS_PER_GUEST: '1000000',
  FREE_MB_MIN: '0',
}

export const startService = async (opening: Opening): Promise<Service> => {
  const { directory, root, env = {}, edits = [], wrapper = [], databaseUrl, secretsFile } = opening
  const dataDir = join(directory, 'data')
  mkdirSync(dataDir, { recursive: true })
  const logFile = join(directory, 'service.log')
  const port = opening.port ?? (await freePort())
  const metricsPort = await freePort()
  const url = `http://127.0.0.1:${port}`
  const cluster = join(dataDir, 'postgres', 'cluster')
  let child: ChildProcess | undefined

  const runs = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const end = async (name: NodeJS.Signals) => {
    if (!child || !runs()) return child?.exitCode ?? null
    const gone = once(child, 'exit')
    child.kill(name)
    await gone
    return child.exitCode
  }

  const startOnce = async (more: Record<string, string>) => {
    const log = openSync(logFile, 'a', 0o600)
    const began = performance.now()
    const editing = edits.length > 0 ? ['--import', new URL('../edited.ts', import.meta.url).pathname] : []
    const program = [...editing, join(root, 'server/src/main.ts')]
    const words = [...wrapper, process.execPath, ...program]
    child = spawn(words[0] as string, words.slice(1), {
      cwd: root,
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
        ...generous,
        DATA_DIR: dataDir,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        ...(edits.length > 0 && { PROOF_EDITS: JSON.stringify(edits) }),
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...(secretsFile && { SECRETS_FILE: secretsFile }),
        ...env,
        ...more,
      },
    })
    while (runs() && performance.now() - began < patienceMs) {
      const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
      if (reply?.status === 200) return performance.now() - began
      await sleep(10)
    }
    throw new Error(`${doesNotStart}: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
  }

  /** A start that fails is tried again, as a supervisor does; the time counts from the first. */
  const start = async (more: Record<string, string> = {}) => {
    const began = performance.now()
    for (let tries = 1; ; tries++)
      try {
        await startOnce(more)
        return performance.now() - began
      } catch (fault) {
        if (tries === startsAtMost) throw fault
      }
  }

  const addressOfDatabase = (): { connectionString: string } | { host: string; user: string; password: string } => {
    if (databaseUrl) return { connectionString: databaseUrl }
    const { databasePassword } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
    return { host: join(dataDir, 'postgres', 'socket'), user: 'afterglow', password: databasePassword }
  }

  const forget = atTheLatest(() => {
    if (child?.pid && runs()) signal(child.pid, 'SIGKILL')
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
    isUp: runs,
    start,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    killDatabase: () => killPostgres(cluster),
    workers: () => (child?.pid ? descendantsOf(child.pid) : []),
    sql: (text, values) => query(addressOfDatabase(), text, values),
    async close() {
      forget()
      await end('SIGTERM')
      for (let pid = postmasterOf(cluster); pid !== undefined; pid = postmasterOf(cluster)) {
        signal(pid, 'SIGQUIT')
        for (let waited = 0; isAlive(pid) && waited < 100; waited++) await sleep(20)
      }
    },
  }
  try {
    await start()
    return service
  } catch (fault) {
    await service.close()
    throw fault
  }
}

/** A file of a directory of media. */
export const onDisk = async (media: string, sha256: string): Promise<Buffer | undefined> => {
  const path = join(media, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  return existsSync(path) ? readFileSync(path) : undefined
}

/** Numbers as numbers: ids here stay far below 2^53. */
const parserOf = (id: number, format?: 'text' | 'binary') =>
  id === 20 ? Number : types.getTypeParser(id, format as 'text')

const query = async (address: object, text: string, values: unknown[] = []) => {
  for (let tries = 0; ; tries++) {
    const client = new Client({
      ...address,
      database: 'postgres',
      types: { getTypeParser: parserOf as typeof types.getTypeParser },
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text, values)).rows
    } catch (fault) {
      // A database that is about to be up again; anything that it says about the statement itself is ours to mend.
      if (tries > 200 || /^(?!57|08|53)\w{5}$/.test((fault as { code?: string }).code ?? '')) throw fault
      await sleep(100)
    } finally {
      client.end().catch(() => {})
    }
  }
}

/** The web client is built once before all, or every server that is killed would begin to build it. */
export const buildWebClient = async (root: string): Promise<void> => {
  if (!existsSync(join(root, 'bin/build.ts'))) return
  const child = spawn(process.execPath, [join(root, 'bin/build.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
}
