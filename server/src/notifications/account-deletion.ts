import { sql } from 'kysely'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { withdrawOfActor } from './mark-read.ts'

/** Removes what somebody was notified of, and notifications to others about them, because those name them. */
export const eraseNotifications = (db: Db, userId: number): Promise<void> =>
  transact(db, async tx => {
    await withdrawOfActor(tx, userId)
    for (const table of ['notification_settings', 'event_notification_settings', 'ring_budgets', 'mail_digests'])
      await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(tx)
    await sql`delete from notifications where user_id = ${userId} or actor_id = ${userId}`.execute(tx)
  })

/** For a week, the log contains whom an edit mentioned. */
export const forgetMentions = (tx: Transaction, username: string) =>
  sql`
    update changes set detail = detail - 'mentions'
    where detail ? 'mentions' and jsonb_path_exists(detail, '$.mentions[*][*] ? (@ == $name)',
      jsonb_build_object('name', ${username.toLowerCase()}::text))`.execute(tx)
