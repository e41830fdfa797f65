import { userStatus } from '@afterglow/contract/accounts/user'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'

export const daysToUndo = 14
const lately = sql<boolean>`moved_at > now() - make_interval(days => ${daysToUndo})`

export type EmailChangeRow = { email_before: string; proven: boolean }

/** The last change of address, as long as it can be undone. */
export const readEmailChange = (db: Db, userId: number): Promise<EmailChangeRow | undefined> =>
  db
    .selectFrom('moved_emails')
    .select(['email_before', 'proven'])
    .where('user_id', '=', userId)
    .where(lately)
    .executeTakeFirst()

export const saveEmailChange = (tx: Transaction, userId: number, move: EmailChangeRow) =>
  tx
    .insertInto('moved_emails')
    .values({ user_id: userId, ...move })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ ...move, moved_at: sql`now()` }))
    .execute()

export const deleteEmailChange = (tx: Transaction, userId: number) =>
  tx.deleteFrom('moved_emails').where('user_id', '=', userId).execute()

/**
 * Restores an account's previous, verified address. Another account that has registered it meanwhile without verifying
 * it loses it. False if somebody has verified it.
 */
export const restoreEmail = async (tx: Transaction, userId: number, email: string) => {
  await sql`
    update users set email = 'moved-' || id || '@afterglow.invalid', updated_at = now()
    where lower(email) = lower(${email}) and id <> ${userId}
      and ${userStatus.unverified} = coalesce(status_before, status)`.execute(tx)
  const { numAffectedRows } = await sql`
    update users set email = ${email}, updated_at = now()
    where id = ${userId}
      and not exists (select from users other where lower(other.email) = lower(${email}) and other.id <> ${userId})`.execute(
    tx,
  )
  return numAffectedRows === 1n
}
