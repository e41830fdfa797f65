import { userStatus } from '@afterglow/contract/accounts/user'
import { sql } from 'kysely'
import type { Db, Transaction } from '../platform/database/database.ts'
import { anyRow, firstValue } from '../platform/database/rows.ts'

/* The SQL of guest accounts: people who joined by a link and have no way to sign in yet. */

export type NewGuest = {
  firstName: string
  lastName: string
  username: string
  email: string
  timezone: string
} & Origin

/** The link they came by, perhaps for adding photos alone, or the event to which an organizer added them. */
export type Origin =
  | { cameBy: number; cameToAdd: boolean; addedTo?: undefined }
  | { cameBy?: undefined; cameToAdd?: undefined; addedTo: number }

/** Returns the ID, or undefined if the username is taken. */
export const insertGuest = (tx: Transaction, guest: NewGuest) => firstValue<number>(tx)`
    insert into users (first_name, last_name, username, email, timezone, status, came_by, came_to_add, added_to, visible)
    values (${guest.firstName}, ${guest.lastName}, ${guest.username}, ${guest.email}, ${guest.timezone},
      ${userStatus.guest}, ${guest.cameBy ?? null}::bigint, ${guest.cameToAdd ?? false}, ${guest.addedTo ?? null}::bigint,
      ${guest.addedTo === undefined})
    on conflict do nothing returning id`

/** False if that is their name already. */
export const renameGuest = async (tx: Transaction, userId: number, name: Pick<NewGuest, 'firstName' | 'lastName'>) => {
  const { numAffectedRows } = await sql`
    update users set first_name = ${name.firstName}, last_name = ${name.lastName}, updated_at = now()
    where id = ${userId} and (first_name, last_name) is distinct from (${name.firstName}, ${name.lastName})`.execute(tx)
  return numAffectedRows === 1n
}

/** Locks the account; false unless it is still a guest account. */
export const lockGuest = (tx: Transaction, userId: number) => anyRow(tx)`
    select from users where id = ${userId} and status = ${userStatus.guest} for no key update`

export const makeFull = (
  tx: Transaction,
  userId: number,
  { passwordHash, verified }: { passwordHash: string | null; verified: boolean },
) =>
  tx
    .updateTable('users')
    .set({ status: verified ? userStatus.active : userStatus.unverified, password_hash: passwordHash })
    .where('id', '=', userId)
    .execute()

/** When a session's token expires; undefined if it has. */
export const sessionExpiry = async (db: Db, deviceRow: number) =>
  (await db.selectFrom('devices').select('token_expires_at').where('id', '=', deviceRow).executeTakeFirst())
    ?.token_expires_at
