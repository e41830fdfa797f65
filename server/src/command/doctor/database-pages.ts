import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Config } from '../../settings/config.ts'
import { reachDatabase } from '../instance.ts'
import { type Finding, fault, good, mind, wordsOf } from './finding.ts'

/** Checks every page of every table: PostgreSQL verifies the checksum of each page that it reads. */
export async function examinePages(config: Config): Promise<Finding[]> {
  try {
    const { db, close } = await reachDatabase(config, { patient: true })
    try {
      return await readEverything(db)
    } finally {
      await close()
    }
  } catch (error) {
    return [fault('pages', wordsOf(error), 'Mend the database first.')]
  }
}

async function readEverything(db: Database): Promise<Finding[]> {
  const { rows } = await sql<{ name: string; verified: boolean }>`
    select format('%I.%I', n.nspname, c.relname) as name, current_setting('data_checksums') = 'on' as verified
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' order by 1`.execute(db)
  const damaged: Finding[] = []
  for (const { name } of rows) {
    // Casting to text reads long values too, which lie on pages of their own.
    const whole = sql`select count(length(one::text)) from ${sql.raw(name)} one`
    await whole.execute(db).catch(error => damaged.push(fault('pages', `${name}: ${wordsOf(error)}`, advice)))
  }
  if (damaged.length > 0) return damaged
  return rows.every(({ verified }) => verified)
    ? [good('pages', `Every page of ${rows.length} tables is as it was written.`)]
    : [mind('pages', 'The database keeps no checksums of its pages.', 'Stop it and run pg_checksums --enable.')]
}

const advice = 'The disk has changed what was written: restore the database from a backup, on another disk.'
