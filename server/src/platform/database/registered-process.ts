import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { version } from '../process/version.ts'
import { type Connection, newConnection } from './connection.ts'
import type { Db } from './database.ts'
import { readMigrations } from './migrations.ts'

/** A process of the service that lives, as it is known in the database. */
export type LivingProcess = { version: string; newest_migration: string; host: string; started_at: Date }

export type ProcessRegistration = { client: Connection; name: string }

const answersWithinMs = 3_000

/** A connection under whose lock this process is known to live: the row of one that is gone is removed by the next. */
export async function registerProcess(url: string): Promise<ProcessRegistration> {
  const client = newConnection(url, { name: 'afterglow process', answersWithinMs })
  const name = `process-${randomUUID()}`
  try {
    await client.connect()
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    const newest = (await readMigrations()).at(-1)?.name ?? ''
    await client.query(
      'delete from processes where pg_try_advisory_xact_lock(hashtextextended(name, 0)) and name <> $1',
      [name],
    )
    await client.query(`insert into processes (name, version, newest_migration, host) values ($1, $2, $3, $4)`, [
      name,
      version,
      newest,
      hostname(),
    ])
    return { client, name }
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
}

/**
 * The processes that live: those that say so, and how many sessions there are of versions that do not yet. A version
 * from before had this name for the connections that read its log.
 */
export async function livingProcesses(db: Db): Promise<{ said: LivingProcess[]; silent: number }> {
  const { rows: there } = await sql<{ known: boolean; silent: number }>`
    select to_regclass('processes') is not null as known,
      (select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'afterglow channel') as silent`.execute(db)
  const [found] = there
  if (!found?.known) return { said: [], silent: found?.silent ?? 0 }
  const { rows: said } = await sql<LivingProcess>`
    select version, newest_migration, host, started_at from processes
    where not pg_try_advisory_xact_lock(hashtextextended(name, 0)) order by started_at`.execute(db)
  return { said, silent: found.silent }
}
