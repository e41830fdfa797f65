import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { firstRow, firstValue, run } from '../../platform/database/rows.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { LetInBy } from '../sessions/sessions.ts'

/* The SQL of the keys that devices of guest accounts keep. */

/** Replaces the device's previous key; does nothing for a session that is over. */
export const saveReturnKey = (tx: Transaction, viewer: Viewer, made: { eventId: number; keyHash: Buffer }) => run(tx)`
    insert into return_keys (user_id, device_id, event_id, key_hash, let_in_by, let_in_event)
    select user_id, device_id, ${made.eventId}, ${made.keyHash}, let_in_by, let_in_event from devices
    where id = ${viewer.deviceRow} and user_id = ${viewer.id} for key share
    on conflict (user_id, device_id) do update set event_id = excluded.event_id, key_hash = excluded.key_hash,
      let_in_by = excluded.let_in_by, let_in_event = excluded.let_in_event`

type Hashes = { keyHash: Buffer; nextHash: Buffer }
const isKept = ({ keyHash, nextHash }: Hashes) => sql`key_hash in (${keyHash}, ${nextHash})`

export const findByKey = (db: Db, hashes: Hashes) => firstValue<number>(db)`
    select user_id from return_keys where ${isKept(hashes)} order by user_id limit 1`

type ReturnKeyRow = { device_id: string; let_in: LetInBy | null }

/** Who let the device in; undefined if the key has ended meanwhile. The device may call itself something else by now. */
export const replaceKey = async (tx: Transaction, userId: number, hashes: Hashes, deviceId: string) => {
  const key = await firstRow<ReturnKeyRow>(tx)`
    select device_id,
      case when let_in_by is not null then json_build_object('by', let_in_by, 'eventId', let_in_event) end as let_in
    from return_keys where user_id = ${userId} and ${isKept(hashes)} order by device_id limit 1 for update`
  if (!key) return
  const kept = key.device_id
  if (kept !== deviceId)
    await sql`delete from return_keys where user_id = ${userId} and device_id = ${deviceId}`.execute(tx)
  await sql`
    update return_keys set key_hash = ${hashes.nextHash}, device_id = ${deviceId}
    where user_id = ${userId} and device_id = ${kept}`.execute(tx)
  return key
}

export const endReturnKeys = (tx: Transaction, userId: number) =>
  tx.deleteFrom('return_keys').where('user_id', '=', userId).execute()

export const endReturnKeysOf = (tx: Transaction, userId: number, eventId: number) =>
  tx.deleteFrom('return_keys').where('user_id', '=', userId).where('event_id', '=', eventId).execute()
