import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { openApp } from './app.ts'
import type { Config } from './config.ts'
import { CannotStart } from './platform/cannot-start.ts'
import { type Confinement, wallsOf } from './platform/confinement.ts'
import { awaitDataDirectory } from './platform/data-directory.ts'
import { openDatabase } from './platform/database.ts'
import { openEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { migrateJobs } from './platform/jobs.ts'
import { lostSecrets } from './platform/lost-secrets.ts'
import { decoderWalls } from './platform/media/decoder-walls.ts'
import { migrate } from './platform/migrate.ts'
import { openPushWays } from './platform/push-ways.ts'
import { openSecrets, secretsPath } from './platform/secrets.ts'
import { findSoundDatabase } from './platform/sound-database.ts'
import { say } from './platform/terminal.ts'
import { openTraces } from './platform/traces.ts'
import { findVideoTool } from './platform/video/find-tool.ts'
import { openWebClient } from './platform/web-client/open.ts'

export type Service = {
  /** URL it listens on. */
  address: string
  postgresVersion: string
  /** What converts videos; null: nothing does. */
  videoTool: string | null
  /** What stands between what is decoded and everything else, in a sentence. */
  walls: string
  /** Drains, closes what was opened in the reverse order, and lets go of the data directory. */
  stop(): Promise<void>
}

/** A balancer needs this long to see that we are not ready: closing at once failed 65 of 50 936 requests, this none. */
const drainMs = 700
/** All in all ten seconds, after which a supervisor would kill: answers four, connections two, jobs five beside them. */
const finishWithinMs = 8_000
const poolCloseWithinMs = 1_000
const tracesCloseWithinMs = 1_000

/** Opens everything, in the order in which each needs the one before, and listens. On failure nothing stays open. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  await using opening = new AsyncDisposableStack()

  const traces = config.tracesEndpoint === null ? undefined : await openTraces(config.tracesEndpoint)
  if (traces) opening.defer(() => atMost(tracesCloseWithinMs, traces.close()))
  const dataDirectory = await awaitDataDirectory(config.dataDir, say)
  let serves = false
  opening.defer(() => (serves ? dataDirectory.release() : dataDirectory.abandon()))
  // Beside the database's start, which takes longer.
  const findingTool = findVideoTool(config.ffmpegPath, log)
  findingTool.catch(() => {})
  const findingWalls = decoderWalls()

  let url = config.databaseUrl
  if (url !== null && existsSync(join(config.dataDir, 'postgres', 'cluster')))
    say(
      `DATABASE_URL is set, so the database in ${config.dataDir}/postgres is not served: what was written there does not show`,
    )
  // One's own is asked before secrets are written: only it can say that there were some.
  const ownVersion = url === null ? undefined : await findSoundDatabase(url)
  const secretsFile = secretsPath(config)
  const lost = await lostSecrets(secretsFile, config)
  if (lost) throw new CannotStart(lost)
  const secrets = openSecrets(secretsFile)

  if (url === null) {
    const directory = join(config.dataDir, 'postgres')
    const postgres = await openEmbeddedPostgres({ directory, password: secrets.databasePassword, log })
    opening.defer(() => postgres.stop())
    url = postgres.url
  }
  const postgresVersion = ownVersion ?? (await findSoundDatabase(url))
  const db = openDatabase(url, { onIdleError: err => log.warn({ err }, 'an idle database connection broke') })
  opening.defer(() => atMost(poolCloseWithinMs, db.destroy()))
  await migrateAll(url)

  const push = openPushWays(config, secrets.vapid, log)
  opening.defer(() => push.close())
  const video = await findingTool
  const app = await openApp({
    config,
    db,
    databaseUrl: url,
    secrets,
    vapidPublicKey: secrets.vapid.publicKey,
    push,
    video,
    webClient: openWebClient(log, say, join(config.dataDir, 'cache')),
    traces,
    log,
  })
  opening.defer(() => atMost(finishWithinMs, app.close()))
  const address = await listen(app.server, config)

  serves = true
  const opened = opening.move()
  return {
    address,
    postgresVersion,
    videoTool: video?.tool.name ?? null,
    walls: wallsAround(await findingWalls, video?.confinement),
    async stop() {
      app.startDraining()
      dataDirectory.tellStopping()
      await sleep(drainMs)
      await opened.disposeAsync()
    },
  }
}

function wallsAround(pictures: Confinement, videos: Confinement | undefined): string {
  const [ours, theirs] = [wallsOf(pictures), videos && wallsOf(videos)]
  const why = pictures.sandboxed ? '' : ` (${pictures.why})`
  if (theirs === ours) return `Pictures and videos are decoded behind ${ours}${why}`
  return `Pictures are decoded behind ${ours}${why}${theirs === undefined ? '' : `, videos behind ${theirs}`}`
}

async function migrateAll(url: string): Promise<void> {
  const db = openDatabase(url, { connections: 1, name: 'afterglow migrations', patient: true })
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
  await migrateJobs(url)
}

async function listen(server: { listen(at: { host: string; port: number }): Promise<string> }, { host, port }: Config) {
  try {
    return await server.listen({ host, port })
  } catch (fault) {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'another program listens there',
      EACCES: 'only root may listen there',
      EADDRNOTAVAIL: 'this machine has no such address',
      ENOTFOUND: 'this machine has no such address',
    }
    const reason = reasons[(fault as NodeJS.ErrnoException).code ?? '']
    throw reason ? new CannotStart(`Cannot listen on ${host} port ${port}, as ${reason}: set HOST or PORT.`) : fault
  }
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  await Promise.race([work, sleep(ms, null, { signal: late.signal })]).finally(() => late.abort())
}
