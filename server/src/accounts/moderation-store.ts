import { sql } from 'kysely'
import type { Db } from '../platform/database.ts'

/* The SQL of what the operator of an instance decides on accounts. */

/** False for one that is suspended already, or erased. */
export const setSuspended = async (db: Db, userId: number) => {
  const { rows } = await sql`
    update users set status = 3, status_before = case when status in (1, 2, 5) then status else status_before end,
      updated_at = now()
    where id = ${userId} and status <> 3 and erased_at is null returning id`.execute(db)
  return rows.length > 0
}

/** Back to what it was; an erasure that was asked for before goes on. False for one that is not suspended. */
export const setUnsuspended = async (db: Db, userId: number) => {
  const { rows } = await sql`
    update users set status = case when erase_at is not null then 4 else coalesce(status_before, 2) end,
      status_before = case when erase_at is not null then status_before end, updated_at = now()
    where id = ${userId} and status = 3 returning id`.execute(db)
  return rows.length > 0
}

export const setOperator = (db: Db, userId: number, operator: boolean) =>
  db.updateTable('users').set({ operator }).where('id', '=', userId).execute()

export type Plan = { title: string; pricing: number; expiresAt: Date }

export const setPlan = (db: Db, userId: number, { title, pricing, expiresAt }: Plan) =>
  db
    .updateTable('users')
    .set({ plan_title: title, plan_pricing: pricing, plan_expires_at: expiresAt })
    .where('id', '=', userId)
    .execute()

export const setPassword = (db: Db, userId: number, passwordHash: string) =>
  db
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute()
