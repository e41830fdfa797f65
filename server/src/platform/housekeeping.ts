import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from './database.ts'

const everyMs = 60 * 60 * 1000
const rowsAtOnce = 10_000

/** Removes what has expired: idempotency keys after a day, sessions when their token is over. Bounded, so that it never holds a table. */
export const tidyUp = async (db: Database): Promise<void> => {
  await sql`delete from idempotency_keys where ctid in (
    select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit ${rowsAtOnce})`.execute(db)
  await sql`delete from devices where id in (
    select id from devices where token_expires_at < now() limit ${rowsAtOnce})`.execute(db)
}

/** Tidies up every hour, until closed. */
export const openHousekeeping = (db: Database, log: Pick<Logger, 'warn'>): { close(): void } => {
  const timer = setInterval(() => {
    tidyUp(db).catch(err => log.warn({ err }, 'tidying up failed; the next hour tries again'))
  }, everyMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
