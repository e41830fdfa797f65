import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, oneRow, run } from '../../platform/database/rows.ts'
import type { Manageable } from '../standing.ts'
import { roleMay } from '../standing-sql.ts'
import type { EventRow } from '../store.ts'

/* The SQL of holding an event again. */

export const copySettings = (tx: Transaction, from: EventRow & Manageable, to: number) => run(tx)`
    update events e set again_of = before.id, description = before.description, location = before.location,
      visibility = before.visibility, join_mode = before.join_mode, attachments_to_album = before.attachments_to_album,
      guests_may_share = before.guests_may_share, greetings_on_wall = before.greetings_on_wall,
      location_hidden = before.location_hidden, guests_hidden = before.guests_hidden, page_lives = before.page_lives, photo_approval = before.photo_approval, theme = before.theme, photos_per_guest = before.photos_per_guest
    from events before where e.id = ${to} and before.id = ${from.id}`

type NextDate = { name: string; starts_at: Date }

/** Checks that the date is to come, and finds a recent repeat of this event at that date. Expects this one locked. */
export const findRepeat = (tx: Transaction, viewerId: number, from: EventRow & Manageable, asked: NextDate) =>
  oneRow<{ isToCome: boolean; madeLately: number | null }>(tx)`
    select ${asked.starts_at}::timestamptz > now() as "isToCome", (
      select e.id from events e
      where e.again_of = ${from.id} and (
          exists (select from members m
            where m.event_id = e.id and m.user_id = ${viewerId} and ${roleMay(sql`m.role`, 'manage')})
          or exists (select from invitations i
            where i.event_id = e.id and i.user_id = ${viewerId} and i.status = 'open' and i.organizes))
        and e.starts_at = ${asked.starts_at} and e.name = ${asked.name} and e.status = 1 and e.deleted_at is null
        and e.created_at > now() - interval '10 minutes'
      order by e.id limit 1) as "madeLately"`

/** The event and all that repeat it, whichever of them is asked about. */
const series = (id: number) => sql`
  root (id, again_of) as (
    select id, again_of from events where id = ${id}
    union select e.id, e.again_of from events e join root on e.id = root.again_of
  ), series (id) as (
    select id from root where again_of is null
    union select e.id from events e join series on e.again_of = series.id
  )`

/** Repeats of an event invite once a day, and thrice a year. */
export const mayInviteToRepeat = async (db: Db, { id }: EventRow & Manageable) => {
  const { rows } = await sql<{ today: number; this_year: number }>`
    with recursive ${series(id)}
    select count(*) filter (where e.created_at > now() - interval '1 day')::int as today, count(*)::int as this_year
    from series join events e using (id)
    where e.again_of is not null and e.created_at > now() - interval '1 year' and exists (
      select from audit_entries a where a.event_id = e.id and a.act = 'user.invited' and a.created_at < e.created_at + interval '1 minute')`.execute(
    db,
  )
  const { today, this_year } = rows[0] as (typeof rows)[number]
  return today < 1 && this_year < 3
}

/** People in the event who have declined none of its repeats, and can be asked. */
export const peopleToInvite = (db: Db, { id }: EventRow & Manageable) =>
  allRows<{ user_id: number; organizes: boolean }>(db)`
    with recursive ${series(id)}
    select m.user_id, ${roleMay(sql`m.role`, 'manage')} as organizes from members m
    where m.event_id = ${id} and not exists (select from users u where u.id = m.user_id and u.added_to is not null)
      and not exists (
      select from invitations i join series on series.id = i.event_id
      where i.user_id = m.user_id and i.status = 'declined')
    order by m.user_id`
