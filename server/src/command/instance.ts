import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { openEmbeddedPostgres } from '../platform/embedded-database/embedded-postgres.ts'
import { movedAway, movedAwaySentence } from '../platform/embedded-database/moved-away.ts'
import { answers, embeddedAddresses } from '../platform/embedded-database/postgres-address.ts'
import { livingPostmaster } from '../platform/embedded-database/postmaster.ts'
import { CannotStart } from '../platform/process/cannot-start.ts'
import { openDataDirectory } from '../platform/process/data-directory.ts'
import { readSecrets, secretsPath } from '../platform/secrets/secrets.ts'
import type { Config } from '../settings/config.ts'

/** An instance's database, for as long as a command needs it. */
export type Instance = {
  databaseUrl: string
  /** The embedded database's superuser, for copying the whole cluster. */
  superuserUrl: string | null
  /** It was running already, rather than started for this command. */
  running: boolean
  close(): Promise<void>
}

/** Commands report for themselves; only errors of the database's own log matter. */
export const quiet: Logger = pino({ level: 'silent' })

/**
 * Connects to an instance's database: the operator's PostgreSQL, the embedded one that is currently running, or else
 * the embedded one started for this command, with the data directory locked meanwhile; `demand` is called before
 * anything is changed in that.
 */
export async function reachInstance(
  config: Config,
  { demand }: { demand?: (url: string) => Promise<void> } = {},
): Promise<Instance> {
  if (config.databaseUrl)
    return { databaseUrl: config.databaseUrl, superuserUrl: null, running: true, close: async () => {} }
  const directory = join(config.dataDir, 'postgres')
  const cluster = join(directory, 'cluster')
  if (!existsSync(cluster)) throw new CannotStart(`There is no Afterglow in ${config.dataDir}: DATA_DIR names it.`)
  const moved = movedAway(config.dataDir)
  if (moved) throw new CannotStart(movedAwaySentence(config.dataDir, moved))
  const { databasePassword: password } = readSecrets(secretsPath(config))
  if (await servesNow(cluster, password)) {
    const { url, superuserUrl } = embeddedAddresses(directory, password)
    return { databaseUrl: url, superuserUrl, running: true, close: async () => {} }
  }

  const lock = openDataDirectory(config.dataDir)
  try {
    const database = await openEmbeddedPostgres({ directory, password, log: quiet, demand })
    const close = async () => {
      await database.stop()
      lock.release()
    }
    return { databaseUrl: database.url, superuserUrl: database.superuserUrl, running: false, close }
  } catch (fault) {
    lock.release()
    throw fault
  }
}

const answersWithinMs = 15_000

/** Tells whether the embedded database is running; a busy one may be slow to answer. */
async function servesNow(cluster: string, password: string): Promise<boolean> {
  const givesUpAt = performance.now() + answersWithinMs
  for (let living = livingPostmaster(cluster); living; living = livingPostmaster(cluster)) {
    if (await answers(embeddedAddresses(dirname(cluster), password).superuserUrl)) return true
    if (performance.now() > givesUpAt) return false
    await sleep(100)
  }
  return false
}

/** The same as a database whose tables this version knows. `patient`: for statements that may take minutes. */
export async function reachDatabase(
  config: Config,
  { patient = false } = {},
): Promise<{ db: Database; close(): Promise<void> }> {
  const instance = await reachInstance(config)
  const db = openDatabase(instance.databaseUrl, { connections: 2, name: 'afterglow command', patient })
  const close = async () => {
    await db.destroy()
    await instance.close()
  }
  try {
    await demandCurrent(db)
    return { db, close }
  } catch (fault) {
    await close()
    throw fault
  }
}

const migrations = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** Names of migrations that the database lacks, and of those that this version does not know. */
export async function migrationsApart(db: Database): Promise<{ missing: string[]; unknown: string[] }> {
  const known = (await readdir(migrations)).filter(name => name.endsWith('.sql'))
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  const applied = rows.map(row => row.name)
  return {
    missing: known.filter(name => !applied.includes(name)),
    unknown: applied.filter(name => !known.includes(name)),
  }
}

export async function demandCurrent(db: Database): Promise<void> {
  const { missing, unknown } = await migrationsApart(db).catch(() => ({ missing: ['all of them'], unknown: [] }))
  if (missing.length > 0)
    throw new CannotStart(`The database lacks migrations (${missing.join(', ')}): start this version once.`)
  if (unknown.length > 0)
    throw new CannotStart(`The database is of a newer version of Afterglow (${unknown.join(', ')}): use that one.`)
}
