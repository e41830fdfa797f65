import { sql } from 'kysely'
import type { Db, Transaction } from '../platform/database.ts'
import type { PushAddress } from '../platform/push/senders.ts'
import type { DeviceRow } from './deliveries-store.ts'

/** Holds the device's row, so that two registrations of one device come one after the other. Returns its platform. */
export const lockDevice = async (tx: Transaction, deviceRow: number) => {
  const { rows } = await sql<{ platform: string }>`
    select platform from devices where id = ${deviceRow} for no key update`.execute(tx)
  return rows[0]?.platform
}

/** The only address of this device, taken from any other that had it: a phone belongs to who uses it now. */
export const saveAddress = async (tx: Transaction, deviceRow: number, address: PushAddress, fingerprint: Buffer) => {
  await removeAddress(tx, deviceRow)
  await sql`
    insert into push_addresses (device_row, address, fingerprint)
    values (${deviceRow}, ${JSON.stringify(address)}, ${fingerprint})
    on conflict (fingerprint) do update
      set device_row = excluded.device_row, address = excluded.address, updated_at = now()`.execute(tx)
}

export const removeAddress = (tx: Transaction, deviceRow: number) =>
  tx.deleteFrom('push_addresses').where('device_row', '=', deviceRow).execute()

/** Drops addresses that are dead, unless the device has registered another meanwhile. */
export const dropAddresses = async (db: Db, dead: readonly { deviceRow: number; fingerprint: Buffer }[]) => {
  await sql`
    delete from push_addresses a
    using unnest(${dead.map(one => one.deviceRow)}::bigint[], ${dead.map(one => one.fingerprint)}::bytea[])
      as dead (device_row, fingerprint)
    where a.device_row = dead.device_row and a.fingerprint = dead.fingerprint`.execute(db)
}

/** The device, if push can reach it. */
export const findPushDevice = async (db: Db, deviceRow: number): Promise<DeviceRow | undefined> => {
  const { rows } = await sql<DeviceRow>`
    select d.id, d.user_id, d.device_id, d.platform, a.address ->> 'platform' as push
    from devices d join push_addresses a on a.device_row = d.id where d.id = ${deviceRow}`.execute(db)
  return rows[0]
}
