import { sql } from 'kysely'
import type { BaseLogger } from 'pino'
import { openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { run } from '../platform/database/rows.ts'
import { openEmbeddedPostgres } from '../platform/embedded-database/embedded-postgres.ts'
import { serviceRole } from '../platform/embedded-database/postgres-address.ts'
import { fixInitialState } from './initial-state.ts'

const beginning = 'sandbox_beginning'
const now = 'sandbox_now'

/** A throwaway PostgreSQL with two databases: the initial state, and the copy of it that is in use. */
export const openSandboxDatabases = async (directory: string, log: Pick<BaseLogger, 'info' | 'warn' | 'error'>) => {
  const postgres = await openEmbeddedPostgres({
    directory,
    password: 'sandbox',
    log,
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  })
  const admin = openDatabase(urlOf(postgres.superuserUrl, 'postgres'), { connections: 1 })
  const beginningUrl = urlOf(postgres.url, beginning)
  return {
    beginningUrl,
    nowUrl: urlOf(postgres.url, now),
    async createBeginning() {
      await sql`create database ${sql.id(beginning)} owner ${sql.id(serviceRole)}`.execute(admin)
      const empty = openDatabase(beginningUrl, { connections: 1 })
      await migrate(empty)
      await empty.destroy()
    },
    async fixInitialState() {
      const fixing = openDatabase(urlOf(postgres.superuserUrl, beginning), { connections: 1 })
      await fixInitialState(fixing)
      await fixing.destroy()
    },
    async beginAnew() {
      await sql`drop database if exists ${sql.id(now)} with (force)`.execute(admin)
      await run(admin)`create database ${sql.id(now)} template ${sql.id(beginning)} owner ${sql.id(serviceRole)}`
    },
    async close() {
      await admin.destroy()
      await postgres.stop()
    },
  }
}

const urlOf = (address: string, name: string) => address.replace(/\/[^/]*$/, `/${name}`)
