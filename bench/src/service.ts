import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedAddresses } from '../../server/src/platform/embedded-database/postgres-address.ts'
import { livingPostmaster } from '../../server/src/platform/embedded-database/postmaster.ts'
import { openSecrets } from '../../server/src/platform/secrets/secrets.ts'
import type { MeteredProcesses } from './meter.ts'
import { type Program, startProgram } from './program.ts'

/** The real service as `npm start` runs it, with rate limits that are never met unless requested. */
export type Service = MeteredProcesses & {
  server: number
  port: number
  databaseUrl: string
  secretsFile: string
  /** Milliseconds from the start of the process to its first 200. */
  startedInMs: number
  stop(): Promise<void>
}

const raised = { RATE_LIMIT_FACTOR: '1000000', SIGN_INS_PER_ADDRESS: '1000000', PHOTOS_PER_GUEST: '1000000' }
const startsWithinMs = 180_000
const root = new URL('../../', import.meta.url)
/** The start script: the launcher, then Node's flags and the program. */
const [launcher, ...program] = (
  JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .slice(1)
  .map(word => (word.startsWith('--') ? word : new URL(word, root).pathname)) as [string, ...string[]]

type BenchServiceOptions = {
  beside?: Service
  databaseUrl?: string
  limited?: boolean
  processes?: number
  /** Starts through the launcher, as `npm start` does. */
  launched?: boolean
}

/**
 * Starts the service over its data directory and waits for the first 200. `beside` puts its database into the
 * PostgreSQL of that service; otherwise its own is embedded. `env` overrides the bench's settings.
 */
export const startService = async (
  dataDir: string,
  { beside, databaseUrl, limited = false, processes = 1, launched = false }: BenchServiceOptions = {},
): Promise<Service> => {
  mkdirSync(dataDir, { recursive: true })
  const logFile = join(dataDir, 'service.log')
  const began = performance.now()
  const env = {
    PORT: '0',
    PROCESSES: String(processes),
    ...(!limited && raised),
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...(beside && { SECRETS_FILE: beside.secretsFile }),
  }
  const started = startProgram(launched ? [launcher, ...program] : program, env, { logFile })
  const port = await listeningOn(started, logFile)
  const startedInMs = performance.now() - began
  const embedded = beside ? null : embeddedIn(dataDir)
  return {
    server: Number(readFileSync(join(dataDir, 'pid'), 'utf8')),
    port,
    startedInMs,
    secretsFile: beside?.secretsFile ?? join(dataDir, 'secrets.json'),
    postgres: beside?.postgres ?? (embedded as { pid: number }).pid,
    databaseUrl: databaseUrl ?? (embedded as { url: string }).url,
    stop: started.stop,
  }
}

const listeningOn = async ({ child }: Program, logFile: string): Promise<number> => {
  const givesUpAt = Date.now() + startsWithinMs
  while (child.exitCode === null && Date.now() < givesUpAt) {
    const port = /listens on http:\/\/[^:]+:(\d+)/.exec(readFileSync(logFile, 'utf8'))?.[1]
    if (port && (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200) return Number(port)
    await sleep(5)
  }
  throw new Error(`The service does not start:\n${readFileSync(logFile, 'utf8')}`)
}

const embeddedIn = (dataDir: string) => {
  const postmaster = livingPostmaster(join(dataDir, 'postgres', 'cluster'))
  if (!postmaster) throw new Error(`There is no PostgreSQL running in ${dataDir}.`)
  return {
    pid: postmaster.pid,
    // Filling disables triggers, which requires the superuser.
    url: embeddedAddresses(join(dataDir, 'postgres'), openSecrets(join(dataDir, 'secrets.json')).databasePassword)
      .superuserUrl,
  }
}
