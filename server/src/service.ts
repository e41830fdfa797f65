import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Foundation, openFoundation } from './foundation.ts'
import { openDatabase } from './platform/database/database.ts'
import { migrateAtStart } from './platform/database/migrate.ts'
import { publicPathOf } from './platform/http/public-path.ts'
import { decoderWalls } from './platform/media/pictures/decoders/decoder-walls.ts'
import { openTraces } from './platform/observability/traces.ts'
import { whyNotListening } from './platform/process/listening.ts'
import { say } from './platform/process/terminal.ts'
import { openConfiguredPush } from './platform/push/configured-push.ts'
import { type Confinement, wallsOf } from './platform/sandbox/confinement.ts'
import { findVideoTool } from './platform/video/find-tool.ts'
import { openWebClient } from './platform/web-client/open.ts'
import type { Config } from './settings/config.ts'

export type Service = {
  /** The URL it listens on. */
  address: string
  postgresVersion: string
  /** The tool that converts videos; null if there is none. */
  videoTool: string | null
  /** The isolation of the decoders, as a sentence. */
  walls: string
  /** Drains, and closes what was opened in reverse order. */
  stop(): Promise<void>
}

/** One of several processes behind one port. */
export type SharedService = Service & {
  /** Stops while other processes continue: clients only notice that a connection ends after its response. */
  handOver(): Promise<void>
}

/**
 * A load balancer needs this long to see that we are not ready: closing at once failed 65 of 50 936 requests, this
 * none.
 */
const drainMs = 700
/** How long requests received before the stop may take. */
const finishAnswersMs = 4_000
/** With other processes running nobody waits for our end, so transfers in progress may take their time. */
const handOverAnswersMs = 120_000
/**
 * Ten seconds in total, after which a service manager would kill: four for responses, two for connections, five for
 * jobs beside them.
 */
const finishBesideMs = 4_000
const poolCloseWithinMs = 1_000
const tracesCloseWithinMs = 1_000

/** The whole service in this process alone. On failure, nothing stays open. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const laying = openFoundation(config, log)
  try {
    const service = await serveFrom(laying, config, log)
    const foundation = await laying
    return {
      ...service,
      async stop() {
        foundation.announceStop()
        await service.stop()
        await foundation.close()
      },
    }
  } catch (fault) {
    await laying.then(
      foundation => foundation.abandon(),
      () => {},
    )
    throw fault
  }
}

/**
 * Opens everything that depends on the foundation, in dependency order, and listens. Among several processes, one
 * `builds` the web client.
 */
export async function serveFrom(
  laying: Promise<Foundation>,
  config: Config,
  log: Logger,
  { builds = true }: { builds?: boolean } = {},
): Promise<SharedService> {
  await using opening = new AsyncDisposableStack()

  const traces = config.tracesEndpoint === null ? undefined : await openTraces(config.tracesEndpoint)
  if (traces) opening.defer(() => atMost(tracesCloseWithinMs, traces.close()))
  // In parallel with the database's start, which takes longer.
  const findingTool = findVideoTool(config.ffmpegPath, log)
  findingTool.catch(() => {})
  const findingWalls = decoderWalls()
  // Loads the thousand modules while the database and the tools above start: half a second of each start.
  const loading = import('./app.ts')

  const { secrets, databaseUrl, postgresVersion } = await laying
  const db = openDatabase(databaseUrl, {
    keptForReading: 4,
    onIdleError: err => log.warn({ err }, 'an idle database connection broke'),
  })
  opening.defer(() => atMost(poolCloseWithinMs, db.destroy()))

  const push = openConfiguredPush(config, secrets.vapid, log)
  opening.defer(() => push.close())
  const video = await findingTool
  const { openApp } = await loading
  const app = await openApp({
    config,
    db,
    databaseUrl,
    secrets,
    vapidPublicKey: secrets.vapid.publicKey,
    push,
    video,
    webClient: openWebClient({
      log,
      publicPath: publicPathOf(config),
      tell: say,
      cache: join(config.dataDir, 'cache'),
      builds,
    }),
    traces,
    log,
    prepareTables: () => migrateAtStart(databaseUrl),
  })
  let finishMs = finishAnswersMs
  opening.defer(() => atMost(finishMs + finishBesideMs, app.close(finishMs)))
  const address = await listen(app.server, config)

  const opened = opening.move()
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= opened.disposeAsync()
    return closing
  }
  return {
    address,
    postgresVersion,
    videoTool: video?.tool.name ?? null,
    walls: wallsAround(await findingWalls, await video?.confinement),
    async stop() {
      app.startDraining()
      await sleep(drainMs)
      // It may already be in progress, with a longer time limit.
      await atMost(finishAnswersMs + finishBesideMs, close())
    },
    async handOver() {
      app.handOver()
      await sleep(drainMs)
      finishMs = handOverAnswersMs
      await close()
    },
  }
}

function wallsAround(pictures: Confinement, videos: Confinement | undefined): string {
  const [ours, theirs] = [wallsOf(pictures), videos && wallsOf(videos)]
  const why = pictures.sandboxed ? '' : ` (${pictures.why})`
  if (theirs === ours) return `Pictures and videos are decoded behind ${ours}${why}`
  return `Pictures are decoded behind ${ours}${why}${theirs === undefined ? '' : `, videos behind ${theirs}`}`
}

async function listen(server: { listen(at: { host: string; port: number }): Promise<string> }, at: Config) {
  try {
    return await server.listen({ host: at.host, port: at.port })
  } catch (fault) {
    throw whyNotListening(fault, at)
  }
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  await Promise.race([work, sleep(ms, null, { signal: late.signal })]).finally(() => late.abort())
}
