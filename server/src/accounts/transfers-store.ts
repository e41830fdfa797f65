import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/* The SQL of transfers: one code per account, as a hash. */

type NewTransfer = { userId: number; deviceRow: number; codeHash: Buffer; minutes: number }

/** Replaces the previous one. Undefined if the session is over, or ends at the same moment: hence the lock. */
export const saveTransfer = async (db: Db, { userId, deviceRow, codeHash, minutes }: NewTransfer) => {
  const { rows } = await sql<{ expires_at: Date }>`
    insert into account_transfers (user_id, device_row, code_hash, expires_at)
    select user_id, id, ${codeHash}, now() + make_interval(mins => ${minutes})
    from devices where id = ${deviceRow} and user_id = ${userId} for key share
    on conflict (user_id) do update set device_row = excluded.device_row, code_hash = excluded.code_hash,
      expires_at = excluded.expires_at, taken_by = null
    returning expires_at`.execute(db)
  return rows[0]?.expires_at
}

const living = sql`expires_at > now() and exists (select from users u where u.id = user_id and u.status <> 3)`

/** Whom an unused code signs in. */
export const findTransfer = async (db: Db, codeHash: Buffer) => {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from account_transfers where code_hash = ${codeHash} and taken_by is null and ${living}`.execute(db)
  return rows[0]?.user_id
}

/** Uses a code for a device: among several, the first wins. */
export const takeTransfer = async (db: Db, codeHash: Buffer, deviceId: string) => {
  const { rows } = await sql<{ user_id: number }>`
    update account_transfers set taken_by = ${deviceId}
    where code_hash = ${codeHash} and coalesce(taken_by, ${deviceId}) = ${deviceId} and ${living}
    returning user_id`.execute(db)
  return rows[0]?.user_id
}
