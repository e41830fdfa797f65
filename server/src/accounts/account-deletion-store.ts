import { sql } from 'kysely'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows, firstRow, run } from '../platform/database/rows.ts'
import { nobody } from './persons.ts'

/* The SQL of closing accounts. */

export const scheduleErasure = async (
  tx: Transaction,
  userId: number,
  { afterDays, erasesContent }: { afterDays: number; erasesContent: boolean },
) => {
  const { rows } = await sql<{ erase_at: Date }>`
    update users set status_before = case when status in (1, 2, 5) then status else status_before end,
      status = case when status = 3 then 3 else 4 end, erases_content = ${erasesContent},
      erase_at = now() + make_interval(days => ${afterDays}), updated_at = now()
    where id = ${userId} returning erase_at`.execute(tx)
  return (rows[0] as { erase_at: Date }).erase_at
}

/** An account whose owner signs in within the grace period stays. */
export const cancelErasure = (db: Db, userId: number) => run(db)`
    update users set status = coalesce(status_before, 2), status_before = null, erase_at = null, erases_content = false,
      updated_at = now()
    where id = ${userId} and status = 4 and erased_at is null`

const due = sql`erase_at <= now() and erased_at is null`

export const dueAccounts = (db: Db) =>
  allRows<{ id: number; username: string; email: string; erasesContent: boolean }>(db)`
    select id, username, email, erases_content as "erasesContent" from users where ${due} order by erase_at, id limit 100`

/** Nobody can sign in until the transaction ends. Undefined if they have done so before. */
export const lockLeavingAccount = (tx: Transaction, userId: number) =>
  firstRow<{ avatar_media_id: number | null; staged_avatar_media_id: number | null }>(tx)`
    select avatar_media_id, staged_avatar_media_id from users where id = ${userId} and ${due} for no key update`

/** The remaining row identifies nobody; search words, friends' lists and chats follow by triggers. */
export const anonymizePerson = async (tx: Transaction, userId: number) => {
  const { username, first_name, last_name } = nobody(userId)
  await sql`delete from login_options where user_id = ${userId}`.execute(tx)
  await sql`delete from mailed_codes where user_id = ${userId}`.execute(tx)
  await sql`delete from known_places where user_id = ${userId}`.execute(tx)
  await sql`delete from moved_emails where user_id = ${userId}`.execute(tx)
  await sql`delete from mails_asked where by_user_id = ${userId}`.execute(tx)
  // Registration was performed by somebody not signed in, whom the key identifies and the reply names.
  await sql`
    delete from idempotency_keys
    where user_id = ${userId} or (user_id = 0 and reply = to_jsonb(${userId}::bigint))`.execute(tx)
  await sql`
    update users set first_name = ${first_name}, middle_name = null, last_name = ${last_name}, username = ${username},
      email = ${`${username}@afterglow.invalid`},
      visible = false, timezone = 'UTC', password_hash = null, mutes_notifications = true, operator = false, status = 4,
      status_before = null, plan_title = 'Free', plan_pricing = 0, plan_expires_at = '9999-12-31 23:59:59+00',
      avatar_media_id = null, staged_avatar_media_id = null, updated_at = now()
    where id = ${userId}`.execute(tx)
}

export const markErased = (tx: Transaction, userId: number) =>
  run(tx)`update users set erased_at = now(), erases_content = false where id = ${userId} and ${due}`
