import { sql } from 'kysely'
import { findUnnormalizedAddresses } from '../../accounts/mail/mailboxes.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { growing, oldestRows } from '../../platform/database/growing-tables.ts'
import { firstRow } from '../../platform/database/rows.ts'
import { findSoundDatabase } from '../../platform/database/sound-database.ts'
import type { Config } from '../../settings/config.ts'
import { tables } from '../../slices.ts'
import { type Instance, migrationsApart, reachInstance } from '../instance.ts'
import { type Finding, fault, good, mind, wordsOf } from './finding.ts'

/** A process opens 16 for requests, 4 for background work, 4 for the channel, 2 for jobs and one for readiness. */
const connectionsOfAProcess = 27

/**
 * The database: whether it answers, keeps what it acknowledges, has this version's schema, and agrees with our clock.
 */
export async function examineDatabase(config: Config): Promise<Finding[]> {
  let instance: Instance
  try {
    instance = await reachInstance(config)
  } catch (error) {
    const advice = config.databaseUrl
      ? 'Start the database, or mend DATABASE_URL.'
      : 'Start the service once, or name its DATA_DIR.'
    return [fault('database', wordsOf(error), advice)]
  }
  try {
    const version = await findSoundDatabase(instance.databaseUrl)
    const db = openDatabase(instance.databaseUrl, { connections: 1, name: 'afterglow doctor' })
    try {
      const place = config.databaseUrl
        ? 'of your own'
        : `embedded, ${instance.running ? 'serving' : 'started to look at it'}`
      const found = `PostgreSQL ${version} (${place}) keeps what it acknowledges.`
      return [
        good('database', found),
        ...(await examineSettings(db)),
        await examineMigrations(db),
        await examineClock(db),
        await examineFiles(db),
        await examineGrowth(db),
        ...(await examineMailboxes(db)),
      ]
    } finally {
      await db.destroy()
    }
  } catch (error) {
    return [fault('database', wordsOf(error), 'Mend that first: nothing works without it.')]
  } finally {
    await instance.close()
  }
}

async function examineSettings(db: Database): Promise<Finding[]> {
  const row = await firstRow<{ connections: number; bytes: number }>(db)`
    select current_setting('max_connections')::int as connections, pg_database_size(current_database()) as bytes`
  if (!row) return []
  const size = `${(row.bytes / 1024 / 1024).toFixed(0)} MiB`
  const findings =
    row.connections < connectionsOfAProcess
      ? [
          fault(
            'connections',
            `The database takes ${row.connections}.`,
            `Set max_connections to ${connectionsOfAProcess} for each process.`,
          ),
        ]
      : [
          good(
            'connections',
            `The database takes ${row.connections}; a process opens up to ${connectionsOfAProcess}. It holds ${size}.`,
          ),
        ]
  return findings
}

async function examineMigrations(db: Database): Promise<Finding> {
  const { missing, unknown } = await migrationsApart(db).catch(() => ({ missing: ['all of them'], unknown: [] }))
  if (unknown.length > 0)
    return fault(
      'migrations',
      `The database knows more than this version: ${unknown.join(', ')}.`,
      'Use the newer version.',
    )
  if (missing.length > 0)
    return mind('migrations', `To come: ${missing.join(', ')}.`, 'They are done when the service starts.')
  return good('migrations', 'The database is of this version.')
}

const clocksApartSeconds = 2

async function examineClock(db: Database): Promise<Finding> {
  const before = Date.now()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const middle = (before + Date.now()) / 2
  const apart = Math.abs((rows[0]?.at.getTime() ?? 0) - middle) / 1000
  return apart > clocksApartSeconds
    ? fault(
        'clock',
        `This machine and the database are ${apart.toFixed(1)} s apart.`,
        'Let both follow the same time server.',
      )
    : good(
        'clock',
        `This machine and the database agree within ${(apart + (Date.now() - before) / 1000).toFixed(2)} s.`,
      )
}

/** Reports the result of the nightly storage check. */
async function examineFiles(db: Database): Promise<Finding> {
  const counted = await sql<{ count: number }>`select count(*) as count from damaged_files`
    .execute(db)
    .catch(() => null)
  const damaged = counted?.rows[0]?.count ?? 0
  return damaged > 0
    ? fault(
        'files',
        `${damaged} files are damaged or missing.`,
        'Restore them from a backup: each is named by its SHA-256.',
      )
    : good('files', 'The nightly reading found every file as it was.')
}

/** Finds accounts from before addresses had one spelling. */
export async function examineMailboxes(db: Database): Promise<Finding[]> {
  const twins = await findUnnormalizedAddresses(db).catch(() => [])
  if (twins.length === 0) return []
  const names = twins.map(({ username, email }) => `${username} (${email})`)
  return [
    mind(
      'mailboxes',
      `Other accounts have the mailboxes of these, in another spelling: ${names.join(', ')}.`,
      'Ask which one they use: each signs in by its username or by its own spelling, and may take another address.',
    ),
  ]
}

/** Clean-up runs hourly and may be slow. */
const lateSeconds = 3 * 60 * 60

async function examineGrowth(db: Database): Promise<Finding> {
  const late = (await oldestRows(db, growing(tables))).filter(({ seconds, lives }) => seconds > lives + lateSeconds)
  if (late.length === 0) return good('tidying', 'No table keeps rows for longer than they live.')
  const each = late.map(({ table, seconds, lives }) => `${table} (${Math.floor((seconds - lives) / 3600)} h)`)
  return mind(
    'tidying',
    `Rows that should be gone are still there: ${each.join(', ')}.`,
    'A service that runs tidies every hour; if this one does, its log tells of tidyUp.',
  )
}
