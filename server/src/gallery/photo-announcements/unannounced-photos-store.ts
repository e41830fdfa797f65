import { audienceMay } from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import { fewMay } from '../../events/standing-sql.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { allRows, allValues } from '../../platform/database/rows.ts'
import { isUndecided } from '../moderation/decisions-store.ts'

/* Schedules announcements of a gallery: each photo once, and one recap per event. */

export type Untold = { photo_id: number; event_id: number; taken_by: number }

const withTaker = sql`
  select told.photo_id, told.event_id, p.taken_by from told join photos p on p.id = told.photo_id order by p.id`

/** Photos that organizers are notified of immediately, each once. */
export const takeAtOnce = (tx: Transaction) => allRows<Untold>(tx)`
    with told as (
      update untold_photos u set told_at_once = true
      where not u.told_at_once and exists (
        select from members g join event_notification_settings s using (event_id, user_id)
        where g.event_id = u.event_id and ${fewMay(sql`g.role`, audienceMay.organizers)} and s.photos_at_once_since <= u.added_at)
      returning u.photo_id, u.event_id
    )
    ${withTaker}`

/** Photos of events without an announcement for an hour, once nobody has added one for two minutes. */
export const takeHourly = (tx: Transaction) => allRows<Untold>(tx)`
    with due as (
      select event_id from untold_photos group by event_id
      having max(added_at) <= now() - interval '2 minutes' or min(added_at) <= now() - interval '10 minutes'
    ), telling as (
      update galleries g set photos_told_at = now() from due
      where g.event_id = due.event_id and (g.photos_told_at is null or g.photos_told_at <= now() - interval '1 hour')
      returning g.event_id
    ), told as (
      delete from untold_photos u using telling where u.event_id = telling.event_id returning u.photo_id, u.event_id
    )
    ${withTaker}`

/** Events with waiting photos not yet announced, once nobody has added one for a minute. */
export const takeWaiting = (tx: Transaction) => allRows<{ id: number; created_by: number }>(tx)`
    with due as (
      select p.event_id, max(since) as newest from photos p left join galleries g on g.event_id = p.event_id
      cross join lateral (select case when p.waits then p.created_at else p.updated_at end as since) s
      where ${isUndecided} and p.deleted_at is null and since > coalesce(g.waiting_told_at, '-infinity')
      group by p.event_id
      having max(since) <= now() - interval '1 minute' or min(since) <= now() - interval '5 minutes'
    ), told as (
      update galleries g set waiting_told_at = due.newest from due where g.event_id = due.event_id returning g.event_id
    )
    select e.id, e.created_by from told join events e on e.id = told.event_id and e.deleted_at is null
    order by e.id`

export type Over = { id: number; created_by: number; over_at: Date; timezone: string; now: Date }

type Moment = 'recap' | 'wanted'

/** Events that ended within three days and have no such announcement yet. */
export const eventsOver = (tx: Transaction, kind: Moment) => allRows<Over>(tx)`
    select e.id, e.created_by, e.over_at, e.timezone, now() as now from events e
    where e.status = 1 and e.deleted_at is null and e.over_at between now() - ${kind === 'recap' ? sql`interval '2 days'` : sql`interval '3 days'`} and now()
      and not exists (select from told_moments t where t.event_id = e.id and t.kind = ${kind})
    order by e.id for key share of e`

/** Records this announcement for these events; returns those that had none before. */
export const noteMoments = async (
  tx: Transaction,
  kind: Moment,
  over: readonly Over[],
): Promise<ReadonlySet<number>> => {
  const found = await allValues<number>(tx)`
    insert into told_moments (event_id, kind, moment)
    select o.id, ${kind}, o.over_at from unnest(${over.map(({ id }) => id)}::bigint[],
      ${over.map(({ over_at }) => over_at)}::timestamptz[]) o (id, over_at)
    on conflict do nothing returning event_id`
  return new Set(found)
}
