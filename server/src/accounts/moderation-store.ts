import { loginName } from '@afterglow/contract/normalization'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { allRows, anyRow, firstRow } from '../platform/database/rows.ts'
import { viewerStatus } from './sessions/link-viewers-store.ts'

/* Accounts as the operator of an instance sees them, and the operator's decisions: no viewer is involved. */

/** False if it is already suspended, or erased. */
export const setSuspended = (db: Db, userId: number) => anyRow(db)`
    update users set status = 3, status_before = case when status in (1, 2, 5) then status else status_before end,
      updated_at = now()
    where id = ${userId} and status <> 3 and erased_at is null returning id`

/** Restores it to what it was; an erasure requested before continues. False if it is not suspended. */
export const setUnsuspended = (db: Db, userId: number) => anyRow(db)`
    update users set status = case when erase_at is not null then 4 else coalesce(status_before, 2) end,
      status_before = case when erase_at is not null then status_before end, updated_at = now()
    where id = ${userId} and status = 3 returning id`

export const setOperator = (db: Db, userId: number, operator: boolean) =>
  db.updateTable('users').set({ operator }).where('id', '=', userId).execute()

export type Plan = { title: string; pricing: number; expiresAt: Date }

export const setPlan = (db: Db, userId: number, { title, pricing, expiresAt }: Plan) =>
  db
    .updateTable('users')
    .set({ plan_title: title, plan_pricing: pricing, plan_expires_at: expiresAt })
    .where('id', '=', userId)
    .execute()

/** An account as its operator sees it. */
export type ModeratedRow = {
  id: number
  username: string
  email: string
  first_name: string
  last_name: string
  status: number
  operator: boolean
  plan_title: string
  plan_pricing: number
  plan_expires_at: Date
  sessions: number
  last_used_at: Date | null
  erase_at: Date | null
  erased_at: Date | null
  created_at: Date
}

const columns = sql`
  u.id, u.username, u.email, u.first_name, u.last_name, u.status, u.operator, u.plan_title, u.plan_pricing,
  u.plan_expires_at, u.erase_at, u.erased_at, u.created_at,
  (select count(*) from devices d where d.user_id = u.id and d.token_expires_at > now()) as sessions,
  (select max(d.last_used_at) from devices d where d.user_id = u.id) as last_used_at`

export type AccountFilter = {
  status?: number | undefined
  operator?: boolean | undefined
  /** Part of a name, a username or an e-mail address, in any case. */
  text?: string | undefined
  /** Only IDs below this one. */
  before?: number | undefined
  most: number
}

/** The newest accounts first. */
export const listAccounts = async (db: Db, { status, operator, text, before, most }: AccountFilter) => {
  const like = text === undefined ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return allRows<ModeratedRow>(db)`
    select ${columns} from users u
    where (${status ?? null}::smallint is null or u.status = ${status ?? null}) and u.status <> ${sql.lit(viewerStatus)}
      and (${operator ?? null}::boolean is null or u.operator = ${operator ?? null})
      and (${like}::text is null or concat_ws(' ', u.first_name, u.middle_name, u.last_name, u.username, u.email) ilike ${like})
      and u.id < ${before ?? Number.MAX_SAFE_INTEGER}
    order by u.id desc limit ${most}`
}

/** By ID, or by username or e-mail address, in any case. */
export const findAccount = async (db: Db, name: string): Promise<ModeratedRow | undefined> => {
  const id = /^[1-9][0-9]{0,15}$/.test(name) ? Number(name) : 0
  const login = loginName(name)
  return firstRow<ModeratedRow>(db)`
    select ${columns} from users u
    where u.id = ${id} or lower(u.username) = lower(${login}) or lower(u.email) in (lower(${name}), lower(${login}))
    order by u.id = ${id} desc limit 1`
}
