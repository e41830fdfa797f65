import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'

const lockSpace = sql.lit(16)

/**
 * Serialises everybody who sends these bytes in an event, adds them to its album or removes them, until the transaction
 * ends: so of two at once, the later finds what the earlier did. Comes before row locks.
 */
export const holdBytes = async (tx: Transaction, eventId: number, sums: readonly string[]): Promise<void> => {
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(${eventId}::bigint || ' ' || s, ${lockSpace}) as key
      from unnest(${sums}::text[]) s order by key
    ) held`.execute(tx)
}
