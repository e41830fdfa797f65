import { audienceMay } from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import type { ChangeRow } from '../log/announce.ts'
import { nameToRing } from '../notifications/excerpt.ts'
import type { Transaction } from '../platform/database/database.ts'
import { listed } from './event-list-sql.ts'
import { fewMay, roleMay } from './standing-sql.ts'

/** A change with everything its text needs. */
export type ChangedEvent = {
  id: number
  event: string
  /** Nobody's act is the operator's. */
  actor: string | undefined
  members: number[]
  /** Recipients who do not see the photos that an announcement shows. */
  unseeing: number[]
  /** Recipients without a reminder, because they neither come to the event nor organize it. */
  declined: number[]
  organizers: number[]
  /** The person concerned, if their invitation or request is still open. */
  invited: number[]
  asks: boolean
  starts_at: Date
  timezone: string
  place: string | null
  planned: boolean
  announced: { text: string; photos: number[] } | null
  offered_to: number | null
  /** Unanswered requests to be let in again. */
  returning: string | null
  /** The new owner of a change of owners. */
  owner: string | null
}

/** In one query for all changes; changes to deleted events are missing, except that they were deleted. */
export const readChangedEvents = async (
  tx: Transaction,
  changes: readonly ChangeRow[],
): Promise<ReadonlyMap<number, ChangedEvent>> => {
  const { rows } = await sql<ChangedEvent>`
    select c.id, e.name as event, e.starts_at, e.timezone, e.location as place, e.status = 1 as planned, e.offered_to,
      case when a.id is not null then concat_ws(' ', a.first_name, nullif(a.last_name, '')) end as actor,
      (select concat_ws(' ', u.first_name, nullif(u.last_name, '')) from users u
        where c.kind = 'owner.changed' and u.id = c.subject_id) as owner,
      (select concat_ws(' ', r.first_name, nullif(r.last_name, '')) from return_requests r
        where c.kind = 'return.asked' and r.id = c.subject_id and r.status = 'asked') as returning,
      (select coalesce(json_agg(user_id), '[]') from members m where m.event_id = e.id) as members,
      (select coalesce(json_agg(user_id), '[]') from members m
        where c.kind = 'announcement.made' and m.event_id = e.id and not ${roleMay(sql`m.role`, 'album')}) as unseeing,
      (select coalesce(json_agg(user_id), '[]') from members m where c.kind = 'reminder.due' and m.event_id = e.id
        and has_declined(e.id, m.user_id) and not ${roleMay(sql`m.role`, audienceMay.organizers)}) as declined,
      (select coalesce(json_agg(user_id), '[]') from members m
        where m.event_id = e.id and ${fewMay(sql`m.role`, audienceMay.organizers)}) as organizers,
      (select json_build_object('text', n.text, 'photos', n.photo_ids) from announcements n where n.id = c.subject_id and n.withdrawn_at is null
        and c.kind = 'announcement.made') as announced,
      (select coalesce(json_agg(user_id), '[]') from invitations i
        where i.event_id = e.id and i.user_id = c.user_id and i.status = 'open' and ${listed}) as invited,
      exists (select from join_requests r
        where r.event_id = e.id and r.user_id = c.subject_id and r.status = 'asked') as asks
    from changes c join events e on e.id = c.event_id and (e.deleted_at is not null) = (c.kind = 'event.deleted')
      left join users a on a.id = c.actor_id
    where c.id = any(${changes.map(change => change.id)}::bigint[])`.execute(tx)
  return new Map(
    rows.map(row => [
      row.id,
      { ...row, event: nameToRing(row.event), actor: row.actor ? nameToRing(row.actor) : undefined },
    ]),
  )
}
