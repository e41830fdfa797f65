import { type Reason, reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { PushAddress } from '../../platform/push/senders.ts'
import { jsonb } from '../notifications-store.ts'
import { mutes } from './rings-store.ts'

export type Way = 'channel' | 'push' | 'none'
export type State = 'waiting' | 'held' | 'sent' | 'acknowledged' | 'delivered' | 'failed' | 'skipped'

// ---- routing ----

export type DeviceRow = {
  id: number
  user_id: number
  device_id: string
  platform: string
  /** The kind of push address it has, if any. */
  push: PushAddress['platform'] | null
  /** A browser's push service. */
  endpoint: string | null
  timezone: string
}

/** The part of an address that says how it is reached. */
export const reachedBy = sql`a.address ->> 'platform' as push, a.address -> 'subscription' ->> 'endpoint' as endpoint`

/** The signed-in devices of everybody whom these notifications are for. */
export const devicesFor = async (db: Db, notificationIds: readonly number[]): Promise<DeviceRow[]> => {
  const { rows } = await sql<DeviceRow>`
    select d.id, d.user_id, d.device_id, d.platform, d.timezone, ${reachedBy}
    from devices d left join push_addresses a on a.device_row = d.id
    where d.token_expires_at > now() and d.user_id in (
      select user_id from notifications where id = any(${notificationIds}::bigint[]) and ring_at <= now())
    order by d.id`.execute(db)
  return rows
}

export type NewDelivery = {
  notificationId: number
  device: DeviceRow
  way: Way
  state: State
  because: readonly Reason[]
}

/** Records what is to be done; a device with an earlier ring of the same notification starts again. */
export const saveDeliveries = async (tx: Transaction, deliveries: readonly NewDelivery[]) => {
  const column = <Value>(of: (delivery: NewDelivery) => Value) => deliveries.map(of)
  await sql`
    insert into deliveries (notification_id, device_row, device_id, platform, way, state, reasons)
    select * from unnest(${column(one => one.notificationId)}::bigint[], ${column(one => one.device.id)}::bigint[],
      ${column(one => one.device.device_id)}::text[], ${column(one => one.device.platform)}::text[],
      ${column(one => one.way)}::text[], ${column(one => one.state)}::text[], ${column(one => JSON.stringify(one.because))}::jsonb[])
    on conflict (notification_id, device_row, way) do update set state = excluded.state, reasons = excluded.reasons,
      outcome = null, tries = 0, interruptions = 0, together = null, updated_at = now()`.execute(tx)
}

// ---- the channel ----

/** A notification on one device. */
export type Pair = { notificationId: number; deviceRow: number }

const pairsOf = (pairs: readonly Pair[]) => sql`
  unnest(${pairs.map(pair => pair.notificationId)}::bigint[], ${pairs.map(pair => pair.deviceRow)}::bigint[])
    as pair (notification_id, device_row)`

export const markAcknowledged = async (db: Db, pairs: readonly Pair[]) => {
  await sql`
    update deliveries d set state = 'acknowledged', outcome = ${jsonb([reasons.taken])}, updated_at = now()
    from ${pairsOf(pairs)}
    where d.notification_id = pair.notification_id and d.device_row = pair.device_row and d.way = 'channel'
      and d.state in ('waiting', 'failed')`.execute(db)
}

/**
 * The same for a device that has read the log up to a place, without a channel. It asks within seconds while somebody
 * looks, so that only its newest changes matter.
 */
export const acknowledgeUpTo = async (db: Db, viewer: Viewer, place: number) => {
  await sql`
    update deliveries d set state = 'acknowledged', outcome = ${jsonb([reasons.taken])}, updated_at = now()
    from (
      select kind, subject_id, created_at from changes
      where user_id = ${viewer.id} and place <= ${place} order by place desc limit 50
    ) c
    where c.kind = 'notification.created' and c.created_at > now() - interval '1 minute'
      and d.notification_id = c.subject_id and d.device_row = ${viewer.deviceRow} and d.way = 'channel'
      and d.state in ('waiting', 'failed')`.execute(db)
}

/** Notifications sent over the channel and not acknowledged in time; they now count as failed. */
export const takeUnacknowledged = async (
  tx: Transaction,
  ids: readonly number[],
  withinMs: number,
  because: readonly Reason[],
) => {
  const { rows } = await sql<DeviceRow & { notification_id: number }>`
    with late as (
      update deliveries set state = 'failed', outcome = ${jsonb(because)}, updated_at = now()
      where notification_id = any(${ids}::bigint[]) and way = 'channel' and state = 'waiting'
        and updated_at <= now() - make_interval(secs => ${withinMs / 1000})
      returning notification_id, device_row)
    select late.notification_id, d.id, d.user_id, d.device_id, d.platform, d.timezone, ${reachedBy}
    from late join devices d on d.id = late.device_row left join push_addresses a on a.device_row = d.id
    where d.token_expires_at > now()`.execute(tx)
  return rows
}

// ---- push ----

export type Outgoing = {
  notification_id: number
  device_row: number
  state: State
  tries: number
  interruptions: number
  user_id: number
  kind: string
  count: number
  title: string | null
  body: string | null
  text_values: unknown
  link: string
  tag: string
  /** How many held notifications it stands for; null: only itself. */
  together: number | null
  language: string | null
  timezone: string
  /** Why it is no longer to be sent; null if it is. */
  over: readonly Reason[] | null
  address: PushAddress | null
  fingerprint: Buffer | null
  /** How often in a row its service did not answer, and for how long it is still paused. */
  silences: number
  rests_ms: number
}

/** The deliveries that still have to be pushed, locked until the transaction ends. */
export const lockOutgoing = async (tx: Transaction, pairs: readonly Pair[]): Promise<Outgoing[]> => {
  const { rows } = await sql<Outgoing>`
    select d.notification_id, d.device_row, d.state, d.tries, d.interruptions, n.user_id, n.kind, n.count, n.title, n.body,
      n.text_values, n.link, n.tag, d.together, coalesce(v.language, u.language) as language, coalesce(v.timezone, u.timezone) as timezone, a.address, a.fingerprint, coalesce(a.silences, 0) as silences,
      coalesce(greatest(extract(epoch from a.rests_until - now()) * 1000, 0), 0)::float8 as rests_ms,
      case when n.withdrawn_at is not null then ${jsonb([reasons.gone])}
        when n.read_at is not null then ${jsonb([reasons.read])}
        when ${mutes} then ${jsonb([reasons.mutes])}
        when v.id is null or v.token_expires_at <= now() then ${jsonb([reasons.signedOut])}
        when a.device_row is null then ${jsonb([reasons.noAddress])} end as over
    from ${pairsOf(pairs)}
      join deliveries d on d.notification_id = pair.notification_id and d.device_row = pair.device_row and d.way = 'push'
      join notifications n on n.id = d.notification_id join users u on u.id = n.user_id
      left join notification_settings s on s.user_id = u.id
      left join devices v on v.id = d.device_row left join push_addresses a on a.device_row = d.device_row
    where d.state in ('waiting', 'sent') order by d.notification_id, d.device_row for update of d`.execute(tx)
  return rows
}

export type Settling = Pair & { state: State; outcome: readonly Reason[] | null; tries: number; interruptions: number }

export const settlePushes = async (db: Db, settled: readonly Settling[]) => {
  const column = <Value>(of: (one: Settling) => Value) => settled.map(of)
  await sql`
    update deliveries d set state = s.state, outcome = s.outcome, tries = s.tries, interruptions = s.interruptions,
      updated_at = now()
    from unnest(${column(one => one.notificationId)}::bigint[], ${column(one => one.deviceRow)}::bigint[],
        ${column(one => one.state)}::text[], ${column(one => one.outcome && JSON.stringify(one.outcome))}::jsonb[],
        ${column(one => one.tries)}::int[], ${column(one => one.interruptions)}::int[])
      as s (notification_id, device_row, state, outcome, tries, interruptions)
    where d.notification_id = s.notification_id and d.device_row = s.device_row and d.way = 'push'
      and d.state in ('waiting', 'sent')`.execute(db)
}

// ---- read, withdrawn, told ----

/** Nothing waiting for these notifications is needed any more. */
export const skipWaiting = async (tx: Transaction, ids: readonly number[], outcome: Reason) => {
  await sql`
    update deliveries set state = 'skipped', outcome = ${jsonb([outcome])}, updated_at = now()
    where notification_id = any(${ids}::bigint[]) and state in ('waiting', 'held')`.execute(tx)
}

export const deliveriesOf = (db: Db, notificationId: number) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .$narrowType<{ reasons: Reason[]; outcome: Reason[] | null }>()
    .where('notification_id', '=', notificationId)
    .orderBy('created_at')
    .orderBy('device_row')
    .orderBy('way')
    .execute()
