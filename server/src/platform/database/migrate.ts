import { sql } from 'kysely'
import { CannotStart } from '../process/cannot-start.ts'
import { type Database, openDatabase } from './database.ts'
import { type Migration, readMigrations } from './migrations.ts'

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

const migrateIn = async (db: Database): Promise<void> => {
  const migrations = await readMigrations()
  await db.transaction().execute(async tx => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(tx)
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
      if (applied.has(name)) continue
      await sql.raw(text).execute(tx)
      await sql`insert into migrations (name, sha256) values (${name}, ${sha256})`.execute(tx)
    }
  })
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
export async function demandMigratable(url: string): Promise<void> {
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
