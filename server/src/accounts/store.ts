import { ownAccount, userStatus } from '@afterglow/contract/accounts/user'
import { sql, type Updateable } from 'kysely'
import { type Db, idList, type Transaction } from '../platform/database/database.ts'
import { firstValue, run } from '../platform/database/rows.ts'
import type { Users } from '../platform/database/schema.ts'

// ---- accounts ----

/** Accounts with their login options, in one query. */
const readAccountRows = (db: Db, userIds: readonly number[]) =>
  db
    .selectFrom('users')
    .selectAll()
    .select(
      sql<{ type: number; identifier: string }[]>`coalesce((
        select json_agg(json_build_object('type', o.type, 'identifier', o.identifier) order by o.type)
        from login_options o where o.user_id = users.id), '[]')`.as('login_options'),
    )
    .where('users.id', '=', sql<number>`any(${idList(userIds)}::bigint[])`)
    .execute()

export type AccountRow = Awaited<ReturnType<typeof readAccountRows>>[number]

/** In the order of the IDs; undefined for unknown ones. */
export const readAccounts = async (db: Db, userIds: readonly number[]) => {
  const rows = new Map((await readAccountRows(db, userIds)).map(row => [row.id, row]))
  return userIds.map(id => rows.get(id))
}

export const readAccount = async (db: Db, userId: number): Promise<AccountRow> => {
  const [row] = await readAccounts(db, [userId])
  if (!row) throw new Error(`there is no user ${userId}`)
  return row
}

/**
 * Does not block references: someone holding an event may be admitting this person, and ending sessions waits for
 * events.
 */
export const lockUser = (tx: Transaction, userId: number) =>
  tx.selectFrom('users').select(['id', 'status']).where('id', '=', userId).forNoKeyUpdate().executeTakeFirstOrThrow()

export type NewUser = {
  first_name: string
  middle_name: string | null
  last_name: string
  username: string
  email: string
  timezone: string
  password_hash: string | null
  /** Unverified by default. */
  status?: number
}

/** The new user's ID, or undefined if the username or e-mail address is taken. */
export const insertUser = async (tx: Transaction, user: NewUser) =>
  (
    await tx
      .insertInto('users')
      .values(user)
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

/**
 * False if the username or e-mail address is taken: the unique index says so, and the savepoint keeps the transaction
 * usable to find out which.
 */
export const updateUser = async (
  tx: Transaction,
  userId: number,
  set: Omit<NewUser, 'timezone' | 'password_hash' | 'status'> & { visible: boolean },
) => {
  await sql`savepoint names`.execute(tx)
  try {
    await tx
      .updateTable('users')
      .set({ ...set, updated_at: sql`now()` })
      .where('id', '=', userId)
      .execute()
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    await sql`rollback to savepoint names`.execute(tx)
    return false
  }
}

export const takenBy = (db: Db, { username, email, exceptId }: { username: string; email: string; exceptId: number }) =>
  db
    .selectNoFrom([
      sql<boolean>`exists (select from users where lower(username) = lower(${username}) and id <> ${exceptId})`.as(
        'username',
      ),
      sql<boolean>`exists (select from users where lower(email) = lower(${email}) and id <> ${exceptId})`.as('email'),
    ])
    .executeTakeFirstOrThrow()

export const changeUser = (db: Db, userId: number, set: Updateable<Users>) =>
  db
    .updateTable('users')
    .set({ ...set, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute()

export const setMuted = (db: Db, userId: number, muted: boolean) => run(db)`
    update users set mutes_notifications = ${muted}, updated_at = now()
    where id = ${userId} and mutes_notifications <> ${muted}`

/** Nothing in the account changes yet. */
export const setStagedAvatar = (tx: Transaction, userId: number, mediaId: number) =>
  tx.updateTable('users').set({ staged_avatar_media_id: mediaId }).where('id', '=', userId).execute()

/** Also for an account that is suspended or scheduled for deletion, in case it comes back. */
export const markVerified = (tx: Transaction, userId: number) => run(tx)`
    update users set status = case status when ${userStatus.unverified} then ${userStatus.active} else status end,
      status_before = case status_before when ${userStatus.unverified} then ${userStatus.active} else status_before end,
      updated_at = now()
    where id = ${userId} and ${userStatus.unverified} in (status, status_before)`

export const insertLoginOption = (tx: Transaction, userId: number, type: number, identifier: string) =>
  tx.insertInto('login_options').values({ user_id: userId, type, identifier }).execute()

/** Addresses whose letters or domain can be written in several ways. */
export const readUnplainAddresses = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where(sql<boolean>`email ~ '[^ -~]' or email ilike '%xn--%'`)
    .orderBy('id')
    .execute()

/** False if another account has that mailbox. */
export const respellEmail = async (tx: Transaction, userId: number, email: string) => {
  const { numAffectedRows } = await sql`
    update users set email = ${email}
    where id = ${userId} and not exists (select from users u where lower(u.email) = lower(${email}) and u.id <> ${userId})`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** Sets the local account's option, whose identifier is the e-mail address. */
export const saveOwnLogin = (tx: Transaction, userId: number, email: string) =>
  tx
    .insertInto('login_options')
    .values({ user_id: userId, type: ownAccount, identifier: email })
    .onConflict(conflict => conflict.columns(['user_id', 'type']).doUpdateSet({ identifier: email }))
    .execute()

/** Only if the local option has this identifier: users with a different one chose it themselves. */
export const moveOwnLogin = (tx: Transaction, userId: number, { from, to }: { from: string; to: string }) =>
  tx
    .updateTable('login_options')
    .set({ identifier: to })
    .where('user_id', '=', userId)
    .where('type', '=', ownAccount)
    .where('identifier', '=', from)
    .execute()

// ---- identities at providers ----

export type IdentityKey = { type: number; issuer: string; subject: string }

/** False if the identity belongs to somebody, or the person has another one from this provider. */
export const insertIdentity = async (tx: Transaction, userId: number, { type, issuer, subject }: IdentityKey) =>
  (
    await tx
      .insertInto('login_options')
      .values({ user_id: userId, type, issuer, identifier: subject })
      .onConflict(conflict => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst()
  )?.user_id !== undefined

export const findByIdentity = (db: Db, { type, issuer, subject }: IdentityKey) =>
  db
    .selectFrom('login_options')
    .innerJoin('users', 'users.id', 'login_options.user_id')
    .select(['users.id', 'users.status'])
    .where('login_options.issuer', '=', issuer)
    .where('login_options.identifier', '=', subject)
    .where('login_options.type', '=', type)
    .executeTakeFirst()

export const removeLoginOption = async (tx: Transaction, userId: number, type: number) => {
  await tx.deleteFrom('login_options').where('user_id', '=', userId).where('type', '=', type).execute()
  if (type === ownAccount) await tx.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute()
}

export const removeIdentities = (tx: Transaction, userId: number) =>
  tx.deleteFrom('login_options').where('user_id', '=', userId).where('type', '<>', ownAccount).execute()

// ---- proofs ----

/**
 * How somebody can prove themselves, and whether they recently did in this session: by signing in, or by the password.
 */
export const readProof = async (db: Db, userId: number, deviceRow: number, minutes: number) => {
  const { rows } = await sql<{ password_hash: string | null; status: number; proven_lately: boolean }>`
    select u.password_hash, u.status, exists (select from devices d
      where d.id = ${deviceRow} and greatest(d.created_at, d.proven_at) > now() - make_interval(mins => ${minutes})
    ) as proven_lately
    from users u where u.id = ${userId}`.execute(db)
  return rows[0] as (typeof rows)[number]
}

/** Returns until when it counts. */
export const saveProof = (db: Db, deviceRow: number, minutes: number) => firstValue<Date>(db)`
    update devices set proven_at = now() where id = ${deviceRow}
    returning now() + make_interval(mins => ${minutes}) as until`
