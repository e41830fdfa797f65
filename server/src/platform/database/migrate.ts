import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { CannotStart } from '../process/cannot-start.ts'
import type { Database } from './database.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))
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
  const files = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  await db.transaction().execute(async tx => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(tx)
    await sql`create table if not exists migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now()
    )`.execute(tx)
    const { rows } = await sql<{ name: string; sha256: string }>`select name, sha256 from migrations`.execute(tx)
    const applied = new Map(rows.map(row => [row.name, row.sha256]))
    const unknown = rows.find(row => !files.includes(row.name))
    if (unknown)
      throw new CannotStart(
        `The database was migrated by a newer version of Afterglow (${unknown.name} is unknown here).`,
      )
    for (const name of files) {
      const text = await readFile(folder + name, 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      const before = applied.get(name)
      if (before && before !== sha256)
        throw new CannotStart(`Migration ${name} was changed after it was applied; restore the file or a backup.`)
      if (before) continue
      await sql.raw(text).execute(tx)
      await sql`insert into migrations (name, sha256) values (${name}, ${sha256})`.execute(tx)
    }
  })
}
