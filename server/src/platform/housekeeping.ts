import { sql } from 'kysely'
import type { Database } from './database.ts'

const rowsAtOnce = 10_000

/** Every hour, by one process of all. */
export const hourly = '0 * * * * tidyUp\n17 * * * * eraseAccounts ?queue=eraseAccounts'
/** The same in the quiet of the night; or in the morning, when nobody was up then. */
export const nightly = ['17 3 * * * sweepStorage ?fill=12h', '47 3 * * * scrubStorage ?fill=12h'].join('\n')

/** Removes what has expired: idempotency keys after a day, sessions when their token is over. Bounded, so that it never holds a table. */
export const tidyUp = async (db: Database): Promise<void> => {
  await sql`delete from idempotency_keys where ctid in (
    select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit ${rowsAtOnce})`.execute(db)
  await sql`delete from devices where id in (
    select id from devices where token_expires_at < now() limit ${rowsAtOnce})`.execute(db)
}
