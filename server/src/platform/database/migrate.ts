import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { CannotStart } from '../process/cannot-start.ts'
import { type Database, openDatabase } from './database.ts'
import { type Migration, readMigrations } from './migrations.ts'
import { livingProcesses } from './registered-process.ts'

const lock = 4_127_337_002

/** Brings the database to the newest migration, all or nothing. Several processes may start at once. */
export const migrate = async (db: Database): Promise<void> => {
  try {
    await migrateIn(db)
  } catch (fault) {
    const { code, message } = fault as { code?: string; message: string }
    if (code !== forbidden) throw fault
    throw new CannotStart(
      `The database does not let its role change what is in it (${message}): the tables must be its own.`,
    )
  }
}

const forbidden = '42501'

const migrateIn = async (
  db: Database,
  { only, lockTimeoutMs = 0 }: { only?: string; lockTimeoutMs?: number } = {},
): Promise<void> => {
  const migrations = await readMigrations()
  await db.transaction().execute(async tx => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(tx)
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx)
    await sql`create table if not exists migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now()
    )`.execute(tx)
    const applied = await appliedIn(tx)
    demandKnown(migrations, applied)
    for (const { name, sha256, repairs } of migrations) {
      const repair = repairs.get(applied.get(name) ?? '')
      if (repair === undefined) continue
      await sql.raw(repair).execute(tx)
      await sql`update migrations set sha256 = ${sha256} where name = ${name}`.execute(tx)
    }
    for (const { name, text, sha256 } of migrations) {
      if (applied.has(name) || (only !== undefined && name !== only)) continue
      await sql.raw(text).execute(tx)
      await sql`insert into migrations (name, sha256) values (${name}, ${sha256})`.execute(tx)
    }
  })
}

/**
 * The same at the start of the service. Beside processes of another version it applies only what those survive, each
 * migration by itself and without waiting for a lock that the service in use needs; otherwise it throws CannotStart.
 */
export async function migrateAtStart(url: string): Promise<void> {
  const toCome = await migrationsToCome(url)
  const db = openDatabase(url, { connections: 1, name: 'afterglow migrations', patient: true })
  try {
    if (toCome.length === 0 || (await olderOnes(db)) === null) return await migrate(db)
    const waits = toCome.filter(({ besideOlder }) => !besideOlder)
    if (waits.length > 0) {
      const older = await olderAfterAWhile(db)
      if (older === null) return await migrate(db)
      throw new CannotStart(
        `Older processes still serve this database (${older}), and ${waits.map(({ name }) => name).join(', ')} cannot be applied beside them: stop them, then start this version. "afterglow database check" says so beforehand.`,
      )
    }
    for (const { name } of toCome) await applyBeside(db, name)
  } finally {
    await db.destroy()
  }
}

/** The sessions of a process that has just ended may outlive it for a moment. */
const endsWithinMs = 5_000

async function olderAfterAWhile(db: Database): Promise<string | null> {
  for (const until = Date.now() + endsWithinMs; ; ) {
    const older = await olderOnes(db)
    if (older === null || Date.now() > until) return older
    await sleep(200)
  }
}

/** Describes them in words; null if there are none. */
async function olderOnes(db: Database): Promise<string | null> {
  const { said, silent } = await livingProcesses(db)
  const newest = (await readMigrations()).at(-1)?.name ?? ''
  const older = said.filter(one => one.newest_migration < newest)
  const each = older.map(one => `${one.version} on ${one.host} since ${one.started_at.toISOString()}`)
  if (silent > 0) each.push(`${silent} sessions of a version before 0.2`)
  return each.length > 0 ? each.join(', ') : null
}

const lockTries = 60

async function applyBeside(db: Database, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // Shorter than deadlock_timeout, so that the serving processes never lose.
      return await migrateIn(db, { only: name, lockTimeoutMs: 400 })
    } catch (fault) {
      const { code } = fault as { code?: string }
      if (attempt === lockTries || (code !== '55P03' && code !== '40P01')) throw fault
      await sleep(200 + Math.random() * 800)
    }
  }
}

/** The migrations that a start of this version would apply. Only reads. */
export async function migrationsToCome(url: string): Promise<Migration[]> {
  const db = openDatabase(url, { connections: 1, name: 'afterglow start' })
  try {
    const { rows } = await sql<{ there: boolean }>`select to_regclass('migrations') is not null as there`.execute(db)
    const applied = rows[0]?.there ? await appliedIn(db) : new Map()
    const migrations = await readMigrations()
    demandKnown(migrations, applied)
    return migrations.filter(({ name }) => !applied.has(name))
  } finally {
    await db.destroy()
  }
}

/**
 * Throws CannotStart, with the sentence that migrating would end with, if this version may not migrate the database.
 * Only reads: after that, the version that made it starts as before.
 */
export async function requireMigratable(url: string): Promise<void> {
  await migrationsToCome(url)
}

async function appliedIn(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; sha256: string }>`
    select name, sha256 from migrations order by name`.execute(db)
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

function demandKnown(migrations: Migration[], applied: Map<string, string>): void {
  for (const [name, sha256] of applied) {
    const known = migrations.find(migration => migration.name === name)
    if (!known)
      throw new CannotStart(
        `The database was migrated by a newer version of Afterglow (${name} is unknown here): start that one.`,
      )
    if (known.sha256 !== sha256 && !known.texts.includes(sha256))
      throw new CannotStart(
        `The database was made with another ${name} than this version of Afterglow has, so it stays as it is: start the version that made it, or restore a backup.`,
      )
  }
}
