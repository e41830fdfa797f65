import { userStatus } from '@afterglow/contract/accounts/user'
import { sql } from 'kysely'
import { fewMay, roleMay } from './standing-sql.ts'

/**
 * For a query with `events e`: whether people who are not in it may know of it and come in. Not if the operator took it
 * out of the lists, nor while nobody takes care of it: an owner who is suspended has no other organizer to be succeeded
 * by, and one whose account is about to be erased may have none either.
 */
export const listed = sql`(e.barred is null and coalesce((
  select u.status not in (${sql.lit(userStatus.suspended)}, ${sql.lit(userStatus.erasing)}) or u.status = ${sql.lit(userStatus.erasing)} and exists (
    select from members m join users other on other.id = m.user_id
    where m.event_id = e.id and m.user_id <> o.user_id and ${fewMay(sql`m.role`, 'manage')}
      and other.status not in (${sql.lit(userStatus.suspended)}, ${sql.lit(userStatus.erasing)}))
  from members o join users u on u.id = o.user_id
  where o.event_id = e.id and ${roleMay(sql`o.role`, 'own')}), true))`
