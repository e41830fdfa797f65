import { userStatus } from '@afterglow/contract/accounts/user'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { anyRow, run } from '../../platform/database/rows.ts'
import type { Purpose } from './codes.ts'

// ---- how many mails ----

export type CountedMail = { about: string; address: string; byUserId: number | null }
export type MailLimits = { addressPerHour: number; addressPerDay: number; userPerDay: number; bySamePerDay: number }

/** Folded by the database, like the addresses of accounts: a different spelling must not count as another mailbox. */
const addressHash = ({ about, address }: CountedMail) =>
  sql`sha256(convert_to(${about} || ' ' || lower(${address}), 'UTF8'))`

/**
 * Counts one more mail; false, without counting, if the address received or the person caused too many. One at a time.
 */
export const countMail = async (tx: Transaction, counted: CountedMail, limits: MailLimits) => {
  const { byUserId } = counted
  const hash = addressHash(counted)
  await sql`select pg_advisory_xact_lock(hashtextextended('mails to ' || encode(${hash}, 'hex'), 0))`.execute(tx)
  if (byUserId !== null)
    await sql`select pg_advisory_xact_lock(hashtextextended('mails by ' || ${byUserId}::bigint, 0))`.execute(tx)
  return anyRow(tx)`
    insert into mails_asked (address_hash, by_user_id)
    select ${hash}, ${byUserId}::bigint
    where (select count(*) from mails_asked
        where address_hash = ${hash} and created_at > now() - interval '1 hour') < ${limits.addressPerHour}
      and (select count(*) from mails_asked
        where address_hash = ${hash} and created_at > now() - interval '1 day') < ${limits.addressPerDay}
      and (select count(*) from mails_asked
        where by_user_id = ${byUserId} and created_at > now() - interval '1 day') < ${limits.userPerDay}
      and (select count(*) from mails_asked
        where by_user_id = ${byUserId} and address_hash = ${hash} and created_at > now() - interval '1 day')
        < ${limits.bySamePerDay}
    returning id`
}

// ---- to whom ----

/** `proven`: the address is verified, also of somebody since suspended or leaving. `days_old`: of the account. */
const recipients = (db: Db) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'first_name',
      'email',
      'status',
      sql<boolean>`${userStatus.active} = coalesce(status_before, status)`.as('proven'),
      sql<number>`floor(extract(epoch from now() - created_at) / 86400)::int`.as('days_old'),
    ])

export const readRecipient = (db: Db, userId: number) => recipients(db).where('id', '=', userId).executeTakeFirst()

export const findRecipient = (db: Db, email: string) =>
  recipients(db).where(sql`lower(email)`, '=', sql`lower(${email})`).executeTakeFirst()

// ---- codes ----

/** A person's only valid code for a purpose: an earlier one becomes invalid. */
export const saveCode = (
  db: Db,
  of: { userId: number; purpose: Purpose; codeHash: Buffer; email: string; minutes: number },
) => run(db)`insert into mailed_codes (user_id, purpose, code_hash, email, expires_at)
    values (${of.userId}, ${of.purpose}, ${of.codeHash}, ${of.email}, now() + make_interval(mins => ${of.minutes}))
    on conflict (user_id, purpose) do update
      set code_hash = excluded.code_hash, email = excluded.email, expires_at = excluded.expires_at`

/** The owner of a valid code, which remains valid. */
export const peekCode = async (db: Db, purpose: Purpose, codeHash: Buffer) =>
  (
    await sql<{ user_id: number }>`
      select user_id from mailed_codes where code_hash = ${codeHash} and purpose = ${purpose} and expires_at > now()`.execute(
      db,
    )
  ).rows[0]?.user_id

/** Uses a code of this person, which works once. Returns the address that it proves, or undefined. */
export const takeCode = async (tx: Transaction, userId: number, purpose: Purpose, codeHash: Buffer) =>
  (
    await sql<{ email: string }>`
      delete from mailed_codes
      where user_id = ${userId} and purpose = ${purpose} and code_hash = ${codeHash} and expires_at > now()
      returning email`.execute(tx)
  ).rows[0]?.email

/** All but the one that undoes a change of address: it must outlive what a thief does next. */
export const endCodes = (tx: Transaction, userId: number) =>
  tx.deleteFrom('mailed_codes').where('user_id', '=', userId).where('purpose', '<>', 'undo').execute()

export const endUndo = (tx: Transaction, userId: number) =>
  tx.deleteFrom('mailed_codes').where('user_id', '=', userId).where('purpose', '=', 'undo').execute()

// ---- what is over ----
