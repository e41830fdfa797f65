import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'
import type { PushAddress } from '../../platform/push/senders.ts'

/**
 * Records that phones showing any of these are to be told that they were read, and returns the phones that were not due
 * already. It never waits: an address that is locked is about to be told, or gone.
 */
export const clearAfter = async (
  tx: Transaction,
  ids: readonly number[],
  { gatherSeconds, everySeconds }: { gatherSeconds: number; everySeconds: number },
) => {
  const { rows } = await sql<{ device_row: number; after_ms: number }>`
    with showing as (
      select device_row from deliveries
      where notification_id = any(${ids}::bigint[]) and way = 'push' and state in ('sent', 'delivered')
      union select v.id from notifications n join devices v on v.user_id = n.user_id
      where n.id = any(${ids}::bigint[]) and n.folded_at is not null
    ), due as (
      select a.device_row from push_addresses a join showing on showing.device_row = a.device_row
      where a.address ->> 'platform' <> 'web' and coalesce(a.clears_at < now() - interval '1 minute', true)
      for update of a skip locked
    )
    update push_addresses a set clears_at = greatest(now() + make_interval(secs => ${gatherSeconds}),
      a.cleared_at + make_interval(secs => ${everySeconds}))
    from due where a.device_row = due.device_row
    returning a.device_row, extract(epoch from a.clears_at - now())::float8 * 1000 as after_ms`.execute(tx)
  return rows
}

export type DueClearing = { id: number; user_id: number; address: PushAddress }

/** These phones, once each time that they are due. */
export const takeClearings = async (db: Database, devices: readonly number[]) => {
  const { rows } = await sql<DueClearing>`
    update push_addresses a set clears_at = null, cleared_at = now() from devices v
    where a.device_row = any(${devices}::bigint[]) and a.clears_at <= now() and v.id = a.device_row
      and v.token_expires_at > now()
    returning v.id, v.user_id, a.address`.execute(db)
  return rows
}
