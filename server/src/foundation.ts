import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { requireMigratable } from './platform/database/migrate.ts'
import { findSoundDatabase, ownAnswersWithinMs } from './platform/database/sound-database.ts'
import { openEmbeddedPostgres } from './platform/embedded-database/embedded-postgres.ts'
import { movedAway, movedAwaySentence } from './platform/embedded-database/moved-away.ts'
import { embeddedAddresses } from './platform/embedded-database/postgres-address.ts'
import { metricsAt } from './platform/metrics/endpoint.ts'
import { CannotStart } from './platform/process/cannot-start.ts'
import { awaitDataDirectory } from './platform/process/data-directory.ts'
import { demandListenable } from './platform/process/listening.ts'
import { say } from './platform/process/terminal.ts'
import { lostSecrets } from './platform/secrets/lost-secrets.ts'
import { openSecrets, readSecrets, type Secrets, secretsPath } from './platform/secrets/secrets.ts'
import { forgetState } from './processes/state.ts'
import type { Config } from './settings/config.ts'

/** The dependencies of serving processes: the instance's secrets and its database. */
export type Foundation = {
  secrets: Secrets
  databaseUrl: string
  postgresVersion: string
}

/** The same plus what belongs to a single process: the data directory, and the embedded database if that is used. */
export type OwnFoundation = Foundation & {
  /** Tells others that want the data directory that it is worth waiting. */
  announceStop(): void
  close(): Promise<void>
  /** After a refused start, restores directories that were missing or empty. */
  abandon(): Promise<void>
}

/** The embedded database's connection limit unless configured otherwise. */
const embeddedConnections = 100
/** Connections of one process, and a few for the command line and for operators. */
const connectionsPerProcess = 27
const connectionsBeside = 20

/**
 * Locks the data directory, and starts the embedded database if no other is configured. `processes` is how many use it
 * at once. On failure, nothing stays open. Throws CannotStart.
 */
export async function openFoundation(config: Config, log: Logger, processes = 1): Promise<OwnFoundation> {
  await using opening = new AsyncDisposableStack()
  const dataDirectory = await awaitDataDirectory(config.dataDir, say)
  // Left by a supervisor that was killed.
  forgetState(config.dataDir)
  let abandoned = true
  opening.defer(() => (abandoned ? dataDirectory.abandon() : dataDirectory.release()))

  for (const address of addressesOf(config)) await demandListenable(address)
  const { databaseUrl: ownUrl } = config
  const directory = join(config.dataDir, 'postgres')
  const moved = movedAway(config.dataDir)
  if (ownUrl === null && moved) throw new CannotStart(movedAwaySentence(config.dataDir, moved))
  if (ownUrl !== null && !moved && existsSync(join(directory, 'cluster')))
    say(
      `DATABASE_URL is set, so the database in ${directory} is not served: what was written there does not show; npm run afterglow -- database move copies it`,
    )
  // One's own database is asked before secrets are written: only it knows whether there were any.
  const ownVersion = ownUrl === null ? undefined : await findSoundDatabase(ownUrl)
  if (ownUrl !== null) await requireMigratable(ownUrl)
  const secretsFile = secretsPath(config)
  const lost = await lostSecrets(secretsFile, config)
  if (lost) throw new CannotStart(lost)
  const secrets = openSecrets(secretsFile)

  let databaseUrl = ownUrl
  if (databaseUrl === null) {
    const connections = connectionsPerProcess * processes + connectionsBeside
    const settings = connections > embeddedConnections ? [`max_connections=${connections}`] : []
    const postgres = await openEmbeddedPostgres({
      directory,
      password: secrets.databasePassword,
      log,
      settings,
      demand: requireMigratable,
    })
    opening.defer(() => postgres.stop())
    databaseUrl = postgres.url
  }
  const postgresVersion = ownVersion ?? (await findSoundDatabase(databaseUrl, { withinMs: ownAnswersWithinMs }))
  const opened = opening.move()
  return {
    secrets,
    databaseUrl,
    postgresVersion,
    announceStop: dataDirectory.announceStop,
    abandon: () => opened.disposeAsync(),
    close() {
      abandoned = false
      return opened.disposeAsync()
    },
  }
}

/** The addresses to listen on; 0 stands for any free port. */
function addressesOf({ host, port, metrics, processes }: Config) {
  const first = metrics.port ?? 0
  const measured = first === 0 ? [] : Array.from({ length: processes }, (_, place) => metricsAt(first + place))
  return port === 0 ? measured : [{ host, port }, ...measured]
}

/** The same foundation opened by another process, which keeps it open while this one uses it. */
export async function joinFoundation(config: Config): Promise<Foundation> {
  const secrets = readSecrets(secretsPath(config))
  const databaseUrl =
    config.databaseUrl ?? embeddedAddresses(join(config.dataDir, 'postgres'), secrets.databasePassword).url
  const withinMs = config.databaseUrl ? 0 : ownAnswersWithinMs
  return { secrets, databaseUrl, postgresVersion: await findSoundDatabase(databaseUrl, { withinMs }) }
}
