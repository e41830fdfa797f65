import { userStatus } from '@afterglow/contract/accounts/user'
import type { Reason } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { type NotificationRow, unread } from '../notifications-store.ts'
import type { DeviceRow, State } from './deliveries-store.ts'
import { hourMs, throughMutes } from './ring-budget.ts'

/* The SQL of rings: due, held by a device, over the budget, and folded into one. */

/** A notification that is about to ring, and its reader's preferences. */
export type Ringing = NotificationRow & {
  mutes: boolean
  barred: boolean
  quiet_from: number | null
  quiet_until: number | null
  rings_per_hour: number | null
  /** For whose acts it rings, each with its source: that person, or all who came by one link without a password. */
  by: { id: number; source: string | null }[]
  now: Date
}

const patience = sql`s.quiet_from, s.quiet_until, s.rings_per_hour, now() as now`
/** For a notification `n` of a user `u` with settings `s`: a test rings in any case. */
export const mutes = sql`((u.mutes_notifications or s.muted_until > now()) is true and n.kind <> all(${throughMutes}::text[]))`

const by = sql`(
  select coalesce(json_agg(json_build_object('id', a.id, 'source', case when a.status = ${sql.lit(userStatus.guest)}
    then concat('link ', a.came_by, ' of ', n.event_id) else concat('user ', a.id) end)), '[]')
  from users a where a.id = any(case when n.rung_by = '{}' then array[n.actor_id] else n.rung_by end)) as by`

/** Takes the due rings of these notifications; those read or withdrawn have none any more. */
export const takeRings = async (tx: Transaction, ids: readonly number[]): Promise<Ringing[]> => {
  const { rows } = await sql<Ringing>`
    with due as (select id from notifications where id = any(${ids}::bigint[]) and ring_at <= now()
      order by user_id, tag for update)
    update notifications n set rung_at = now(), rung_by = n.ring_by, ring_at = null, ring_by = '{}', folded_at = null
    from due, users u left join notification_settings s on s.user_id = u.id where n.id = due.id and u.id = n.user_id
    returning n.*, ${mutes} as mutes, u.status in (3, 4) as barred, ${patience}, ${by}`.execute(tx)
  return rows
}

/** The same for notifications that have already rung. */
export const rungAlready = async (tx: Transaction, ids: readonly number[]): Promise<Ringing[]> => {
  const { rows } = await sql<Ringing>`
    select n.*, ${mutes} as mutes, u.status in (3, 4) as barred, ${patience}, ${by}
    from notifications n join users u on u.id = n.user_id left join notification_settings s on s.user_id = u.id
    where n.id = any(${ids}::bigint[]) and ${unread}`.execute(tx)
  return rows
}

// ---- what is held, and what waits ----

export type Held = Ringing & { device: DeviceRow }

/** The notifications that a device is holding, locked until the transaction ends. */
export const lockHeld = async (tx: Transaction, deviceRow: number): Promise<Held[]> => {
  const { rows } = await sql<Ringing & { device: DeviceRow; timezone: string }>`
    select n.*, ${mutes} as mutes, u.status in (3, 4) or v.token_expires_at <= now() as barred, ${patience}, ${by},
      json_build_object('id', v.id, 'user_id', v.user_id, 'device_id', v.device_id, 'platform', v.platform,
        'timezone', v.timezone, 'push', a.address ->> 'platform', 'endpoint', a.address -> 'subscription' ->> 'endpoint') as device
    from deliveries d join notifications n on n.id = d.notification_id join users u on u.id = n.user_id
      left join notification_settings s on s.user_id = u.id
      join devices v on v.id = d.device_row left join push_addresses a on a.device_row = d.device_row
    where d.device_row = ${deviceRow} and d.state = 'held' order by n.id for update of d`.execute(tx)
  return rows
}

/** The outcome of held deliveries. `together`: how many the one being sent stands for. */
export const settleHeld = async (
  tx: Transaction,
  deviceRow: number,
  settled: readonly { id: number; state: State; outcome: Reason | null; together: number | null }[],
) => {
  await sql`
    update deliveries d set state = s.state, together = s.together, updated_at = now(),
      outcome = case when s.outcome is not null then jsonb_build_array(s.outcome) end
    from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) s (id bigint, state text, outcome jsonb, together smallint)
    where d.notification_id = s.id and d.device_row = ${deviceRow} and d.state = 'held'`.execute(tx)
}

export type BudgetRow = {
  user_id: number
  rung_at: number[]
  rung_by: (string | null)[]
  waiting: number[]
  stranger_rung_at: number | null
}

/** How often these people were rung recently, locked in the same order until the transaction ends. */
export const lockBudgets = async (tx: Transaction, userIds: readonly number[]): Promise<BudgetRow[]> => {
  await sql`insert into ring_budgets (user_id) select id from unnest(${userIds}::bigint[]) id order by 1
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<BudgetRow>`
    select b.user_id, b.rung_at, b.rung_by, b.stranger_rung_at, array(select n.id from notifications n
      where n.id = any(b.waiting) and n.ring_at is not null and ${unread}) as waiting
    from ring_budgets b where b.user_id = any(${userIds}::bigint[]) order by b.user_id for update of b`.execute(tx)
  return rows.map(row => ({ ...row, rung_at: row.rung_at.map(Number), waiting: row.waiting.map(Number) }))
}

export const saveBudgets = (tx: Transaction, rows: readonly BudgetRow[]) =>
  sql`
    update ring_budgets b set rung_at = array(select jsonb_array_elements_text(s.rung_at)::bigint),
      rung_by = array(select jsonb_array_elements_text(s.rung_by)),
      waiting = array(select jsonb_array_elements_text(s.waiting)::bigint), stranger_rung_at = s.stranger_rung_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      s (user_id bigint, rung_at jsonb, rung_by jsonb, waiting jsonb, stranger_rung_at bigint)
    where b.user_id = s.user_id`.execute(tx)

/** A ring more, and none that is older than an hour. */
export const withRing = (budget: BudgetRow, at: number, by: string | null): BudgetRow => {
  const recent = budget.rung_at.flatMap((rung, n) =>
    rung > at - hourMs ? [[rung, budget.rung_by[n] ?? null] as const] : [],
  )
  const rings = [...recent, [at, by] as const]
  return { ...budget, rung_at: rings.map(([rung]) => rung), rung_by: rings.map(([, source]) => source) }
}

/** Postpones these rings, and whose they are; what is pending by then stays. */
export const putOffRings = (tx: Transaction, ids: readonly number[], at: Date) =>
  sql`
    update notifications set ring_at = least(ring_at, ${at}), ring_by = array(select distinct unnest(ring_by || rung_by))
    where id = any(${ids}::bigint[]) and ${unread}`.execute(tx)

/** Leaves these to the rolling notification; returns who has none pending yet, and when theirs is due. */
export const foldRings = async (tx: Transaction, ids: readonly number[], everySeconds: number) => {
  const { rows } = await sql<{ user_id: number; after_ms: number }>`
    with folded as (
      update notifications set folded_at = now() where id = any(${ids}::bigint[]) and ${unread} returning user_id
    )
    update ring_budgets b set roll_at = greatest(now(), b.rolled_at + make_interval(secs => ${everySeconds}))
    where b.user_id in (select user_id from folded) and b.roll_at is null
    returning user_id, extract(epoch from roll_at - now())::float8 * 1000 as after_ms`.execute(tx)
  return rows
}

export type Rolling = NotificationRow & { folded: number }

/** The newest folded notification of each of these people and their number, once each time that it is due. */
export const takeRolling = async (db: Db, userIds: readonly number[]): Promise<Rolling[]> => {
  const { rows } = await sql<Rolling>`
    with due as (
      update ring_budgets set rolled_at = now(), roll_at = null
      where user_id = any(${userIds}::bigint[]) and roll_at is not null returning user_id
    )
    select newest.*, (select count(*) from notifications n
      where n.user_id = due.user_id and ${unread} and n.folded_at is not null) as folded
    from due cross join lateral (select * from notifications n
      where n.user_id = due.user_id and ${unread} and n.folded_at is not null order by n.folded_at desc limit 1) newest`.execute(
    db,
  )
  return rows
}
