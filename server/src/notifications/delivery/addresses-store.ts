import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allValues } from '../../platform/database/rows.ts'
import type { PushAddress } from '../../platform/push/senders.ts'
import { type DeviceRow, reachedBy } from './deliveries-store.ts'

/** Locks the device's row, so that registrations of one device happen one after another. Returns its platform. */
export const lockDevice = async (tx: Transaction, deviceRow: number) => {
  const { rows } = await sql<{ platform: string }>`
    select platform from devices where id = ${deviceRow} for no key update`.execute(tx)
  return rows[0]?.platform
}

/** The only address of this device, taken from any other that had it: a phone belongs to its present user. */
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

export type Address = { deviceRow: number; fingerprint: Buffer }

const columnsOf = (addresses: readonly Address[]) => sql`
  unnest(${addresses.map(one => one.deviceRow)}::bigint[], ${addresses.map(one => one.fingerprint)}::bytea[])
    as one (device_row, fingerprint)`

/** Pauses addresses whose service did not answer: for half a minute, then doubling, at most six hours. */
export const restAddresses = async (db: Db, silent: readonly Address[]) => {
  await sql`
    update push_addresses a set silences = least(a.silences + 1, 20), silent_since = coalesce(a.silent_since, now()),
      rests_until = now() + least(interval '30 seconds' * power(2, a.silences), interval '6 hours')
    from ${columnsOf(silent)}
    where a.device_row = one.device_row and a.fingerprint = one.fingerprint`.execute(db)
}

/** Their service has answered. */
export const wakeAddresses = async (db: Db, answering: readonly Address[]) => {
  await sql`
    update push_addresses a set silences = 0, silent_since = null, rests_until = null from ${columnsOf(answering)}
    where a.device_row = one.device_row and a.fingerprint = one.fingerprint`.execute(db)
}

/** Addresses that have been silent for a week, however often they were tried. */
export const silentForAWeek = async (db: Db, silent: readonly Address[]): Promise<ReadonlySet<number>> => {
  const found = await allValues<number>(db)`
    select a.device_row from push_addresses a, ${columnsOf(silent)}
    where a.device_row = one.device_row and a.fingerprint = one.fingerprint
      and a.silences > 7 and a.silent_since < now() - interval '7 days'`
  return new Set(found)
}

/** Drops dead addresses, unless the device has registered another one meanwhile. */
export const dropAddresses = async (db: Db, dead: readonly Address[]) => {
  await sql`
    delete from push_addresses a using ${columnsOf(dead)}
    where a.device_row = one.device_row and a.fingerprint = one.fingerprint`.execute(db)
}

/** The device, if push can reach it. */
export const findPushDevice = async (db: Db, deviceRow: number): Promise<DeviceRow | undefined> => {
  const { rows } = await sql<DeviceRow>`
    select d.id, d.user_id, d.device_id, d.platform, ${reachedBy}
    from devices d join push_addresses a on a.device_row = d.id where d.id = ${deviceRow}`.execute(db)
  return rows[0]
}

/** Where push reaches these people, and in which language. */
export const addressesOf = async (db: Db, userIds: readonly number[]) => {
  const { rows } = await sql<{
    id: number
    user_id: number
    address: PushAddress
    language: string | null
    timezone: string
    rests: boolean
  }>`
    select d.id, d.user_id, a.address, coalesce(d.language, u.language) as language, d.timezone,
      coalesce(a.rests_until > now(), false) as rests
    from devices d join push_addresses a on a.device_row = d.id join users u on u.id = d.user_id
    where d.user_id = any(${userIds}::bigint[]) and d.token_expires_at > now()`.execute(db)
  return rows
}
