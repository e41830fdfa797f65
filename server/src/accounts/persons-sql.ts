import { userStatus } from '@afterglow/contract/accounts/user'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { Person } from './persons.ts'

export const personColumns = [
  'users.id',
  'users.first_name',
  'users.middle_name',
  'users.last_name',
  'users.username',
  'users.visible',
  'users.avatar_media_id',
  'users.avatar_ending',
] as const

/**
 * For standing: suspended users have none. For one person it is evaluated once per statement, however many rows that
 * has.
 */
export const notSuspended = (userId: number | RawBuilder<unknown>) => sql`
  not exists (select from users suspended where suspended.id = ${userId} and suspended.status = ${sql.lit(userStatus.suspended)})`

/** For a query with `users u`. */
export const personBeside = sql`u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id, u.avatar_ending`

/** The people of a page in one query; every ID that one of our rows names is in the map. */
export const personsById = async (db: Db, ids: Iterable<number>): Promise<ReadonlyMap<number, Person>> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const persons = await db
    .selectFrom('users')
    .select(personColumns)
    .where('users.id', '=', eb => eb.fn.any(eb.val(wanted)))
    .execute()
  return new Map(persons.map(person => [person.id, person]))
}
