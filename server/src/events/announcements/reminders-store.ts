import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/database.ts'
import { allRows } from '../../platform/database/rows.ts'

const due = `
  from events e cross join (values ('day', interval '24 hours', interval '2 hours'), ('hours', interval '2 hours', interval '0'))
    ahead (kind, of, until)
  where e.status = 1 and e.deleted_at is null and e.starts_at > now() and e.starts_at <= now() + interval '24 hours'
    and e.starts_at - ahead.of <= now() and e.starts_at - ahead.until > now()
    and e.planned_at <= e.starts_at - ahead.of`

export const dueReminder = `
  select ${due} and not exists (
    select from told_moments t where t.event_id = e.id and t.kind = ahead.kind and t.moment = e.starts_at)`

/** Events that start within a day or within two hours and have not been announced; each start once. */
export const takeDueReminders = (tx: Transaction) => allRows<{ id: number; created_by: number; starts_at: Date }>(tx)`
    with due as (
      select e.id, ahead.kind, e.starts_at, e.created_by ${sql.raw(due)} for key share of e
    ), told as (
      insert into told_moments (event_id, kind, moment) select id, kind, starts_at from due
      on conflict do nothing returning event_id, moment
    )
    select e.id, e.created_by, told.moment as starts_at from told join events e on e.id = told.event_id
    order by e.id`
