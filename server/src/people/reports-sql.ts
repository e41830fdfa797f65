import { sql } from 'kysely'
import { roleMay } from '../events/standing-sql.ts'

/** For a query with `reports r`: whether it is about somebody who organizes its event, and reads what its organizers read. */
export const isAboutOrganizer = sql`exists (
  select from members m
  where m.event_id = r.event_id and m.user_id = r.about_user_id and ${roleMay(sql`m.role`, 'manage')})`
