import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { copyDatabase, demandUnused, type MovedTable } from '../platform/database/copy-database.ts'
import { openDatabase } from '../platform/database/database.ts'
import { readDatabaseAddress } from '../platform/database/database-address.ts'
import { migrate, migrationsToCome, requireMigratable } from '../platform/database/migrate.ts'
import { findSoundDatabase } from '../platform/database/sound-database.ts'
import { openEmbeddedPostgres } from '../platform/embedded-database/embedded-postgres.ts'
import { markMovedAway, movedAway, movedAwaySentence } from '../platform/embedded-database/moved-away.ts'
import { majorBrought } from '../platform/embedded-database/postgres-binaries.ts'
import { clusterUser } from '../platform/embedded-database/postgres-cluster.ts'
import { openDataDirectory } from '../platform/process/data-directory.ts'
import { readSecrets, secretsPath } from '../platform/secrets/secrets.ts'
import type { Config } from '../settings/config.ts'
import { type Answer, NotDone } from './answer.ts'
import { demandCurrent, quiet, reachInstance } from './instance.ts'

type Asked = { config: Config; tell: (line: string) => void }

export function databaseCommands(
  program: Command,
  config: () => Config,
  run: (work: () => Promise<Answer>) => Promise<void>,
  complain: (line: string) => void,
): void {
  const database = program.command('database').description('the database of the instance')
  database
    .command('check')
    .description('whether this version takes the database as it is, and what its start would change; changes nothing')
    .action(() => run(() => checkVersion(config())))
  database
    .command('move')
    .description('copy the embedded database of DATA_DIR, while the service is stopped, to the one of DATABASE_URL')
    .action(() => run(() => move({ config: config(), tell: complain })))
}

/** A version's verdict on a database before it starts on it. */
export type VersionCheck = { missing: string[]; besideOlder: boolean }

export async function checkVersion(config: Config): Promise<Answer & { json: VersionCheck }> {
  const cluster = join(config.dataDir, 'postgres', 'cluster')
  if (!config.databaseUrl && existsSync(cluster)) await demandOurMajor(cluster)
  const { databaseUrl, close } = await reachInstance(config, { demand: requireMigratable })
  try {
    const toCome = await migrationsToCome(databaseUrl)
    const missing = toCome.map(({ name }) => name)
    const besideOlder = toCome.every(migration => migration.besideOlder)
    const how = besideOlder ? '' : ', while no process of an older version runs'
    const say =
      missing.length === 0
        ? 'This version takes the database as it is.'
        : `This version takes the database; its start migrates it${how}: ${missing.join(', ')}.`
    return { say, json: { missing, besideOlder } }
  } finally {
    await close()
  }
}

async function demandOurMajor(cluster: string): Promise<void> {
  const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const ours = await majorBrought(clusterUser(cluster))
  if (made !== ours)
    throw new NotDone(
      `The embedded database is of PostgreSQL ${made}, and this version brings ${ours}: docs/operators.md says how it is moved ("A new major version of PostgreSQL").`,
    )
}

async function move({ config, tell }: Asked): Promise<Answer> {
  const { dataDir, databaseUrl } = config
  if (!databaseUrl) throw new NotDone('Say where to: set DATABASE_URL to an empty database of your own.')
  const directory = join(dataDir, 'postgres')
  if (!existsSync(join(directory, 'cluster')))
    throw new NotDone(`There is no embedded database in ${dataDir}: DATA_DIR names it.`)
  const before = movedAway(dataDir)
  if (before) throw new NotDone(movedAwaySentence(dataDir, before))

  const { place } = readDatabaseAddress(databaseUrl)
  const lock = openDataDirectory(dataDir)
  try {
    await findSoundDatabase(databaseUrl)
    await demandUnused(databaseUrl)
    const { databasePassword: password } = readSecrets(secretsPath(config))
    const embedded = await openEmbeddedPostgres({ directory, password, log: quiet })
    try {
      await withDatabase(embedded.url, demandCurrent)
      await withDatabase(databaseUrl, migrate)
      const moved = await copyDatabase(embedded.url, databaseUrl, ({ table, rows }) => tell(`${table}: ${rows} rows`))
      markMovedAway(dataDir, { to: place, at: new Date().toISOString() })
      return { say: sayOf(moved, place), json: { to: place, tables: moved } }
    } finally {
      await embedded.stop()
    }
  } finally {
    lock.release()
  }
}

async function withDatabase(url: string, work: (db: ReturnType<typeof openDatabase>) => Promise<void>): Promise<void> {
  const db = openDatabase(url, { connections: 1, name: 'afterglow database move', patient: true })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

const sayOf = (moved: readonly MovedTable[], place: string) =>
  `${moved.reduce((sum, { rows }) => sum + rows, 0)} rows of ${moved.length} tables are at ${place}, counted on both sides. Start the service with DATABASE_URL; what was in DATA_DIR is untouched, and is not served any more.`
