import { userStatus } from '@afterglow/contract/accounts/user'
import { sql } from 'kysely'
import { roleMay } from './standing-sql.ts'

/**
 * For a query with `events e`: whether people who are not in it may know of it and come in. Not if the operator took it
 * out of the lists, nor while nobody takes care of it: an owner who is suspended has no other organizer to be succeeded
 * by.
 */
export const listed = sql`(e.barred is null and coalesce((select u.status from members o join users u on u.id = o.user_id
  where o.event_id = e.id and ${roleMay(sql`o.role`, 'own')}), 0) <> ${sql.lit(userStatus.suspended)})`
