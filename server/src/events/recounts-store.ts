import { type RawBuilder, sql } from 'kysely'
import { roleMay } from './standing-sql.ts'

export const eventRecounts: Record<string, RawBuilder<unknown>> = {
  'the guests of an event are not its count': sql`
    select e.id from events e
    where e.guests_count <> (select count(*) from members m where m.event_id = e.id)`,
  'an event with people in it has no owner': sql`
    select e.id from events e where e.guests_count > 0
      and not exists (select from members m where m.event_id = e.id and ${roleMay(sql`m.role`, 'own')})`,
}
