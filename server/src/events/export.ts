import { visibility } from '@afterglow/contract/events/event'
import { sql } from 'kysely'
import { allRows } from '../platform/database/rows.ts'
import type { ExportPart } from '../platform/export/export-part.ts'
import { standsTo } from './standing-sql.ts'

/**
 * For a query with `events e`: whether somebody may be told the event's current name, according to `maySee`. Somebody
 * who has left a private event takes along that they were there, but not how it continued.
 */
export const seenBy = (userId: number) => sql`(e.visibility = ${visibility.public} or ${standsTo(userId)})`
/** For a query with `events e`: whether somebody is in it, and may be told how it goes on. */
export const isIn = (userId: number) => sql`exists (
  select from seats s where s.event_id = e.id and s.user_id = ${userId})`
const ifSeen = (what: string, userId: number) => sql`case when ${seenBy(userId)} then ${sql.ref(what)} end`

/** The events somebody is or was in, those they created, and join requests and invitations. */
export const eventExport: ExportPart[] = [
  {
    name: 'events',
    tables: ['guests', 'guest_lines'],
    rows: (db, userId) => allRows<object>(db)`
        select e.id, ${ifSeen('e.name', userId)} as name, ${ifSeen('e.starts_at', userId)} as starts_at, g.role, g.joined_at, g.ended_at, g.removed
        from guests g join events e on e.id = g.event_id
        where g.user_id = ${userId} order by e.id`,
  },
  {
    name: 'marks-away',
    tables: ['marks_away'],
    rows: (db, userId) => allRows<object>(db)`
        select event_id, mark, given, sent_at from marks_away where user_id = ${userId} order by sent_at, mark`,
  },
  {
    name: 'events-opened',
    tables: ['events'],
    rows: (db, userId) => allRows<object>(db)`
        select e.id, seen.*, e.created_at, e.deleted_at
        from events e left join lateral (
          select e.name, e.description, e.starts_at, e.ends_at, e.timezone, e.location, e.visibility, e.join_mode, e.status
          where ${seenBy(userId)}
        ) seen on true
        where e.created_by = ${userId} order by e.id`,
  },
  {
    name: 'announcements',
    tables: ['announcements', 'announcement_reads'],
    rows: (db, userId) => allRows<object>(db)`
        select a.event_id, case when a.user_id = ${userId} then a.text end as text,
          case when a.user_id = ${userId} then a.photo_ids end as photo_ids, a.created_at, r.read_at
        from announcements a left join announcement_reads r on r.announcement_id = a.id and r.user_id = ${userId}
        where a.user_id = ${userId} or r.user_id is not null order by a.id`,
  },
  {
    name: 'join-requests',
    tables: ['join_requests'],
    rows: (db, userId) => allRows<object>(db)`
        select r.event_id, ${ifSeen('e.name', userId)} as event, r.status, r.asked_at, r.answered_at
        from join_requests r join events e on e.id = r.event_id
        where r.user_id = ${userId} order by r.event_id`,
  },
  {
    name: 'invitations',
    tables: ['invitations'],
    rows: (db, userId) => allRows<object>(db)`
        select i.id, i.event_id, ${ifSeen('e.name', userId)} as event, i.status, i.created_at,
          case when i.user_id = ${userId} then 'received' else 'sent' end as direction
        from invitations i join events e on e.id = i.event_id
        where i.user_id = ${userId} or i.invited_by = ${userId} order by i.id`,
  },
  {
    name: 'links-made',
    tables: ['event_links'],
    rows: (db, userId) => allRows<object>(db)`
        select l.id, l.event_id, case when ${isIn(userId)} then l.uses end as uses, l.uses_max, l.expires_at, l.revoked_at, l.created_at
        from event_links l join events e on e.id = l.event_id
        where l.created_by = ${userId} order by l.id`,
  },
  {
    name: 'moved-up-the-line',
    tables: ['audit_entries'],
    rows: (db, userId) => allRows<object>(db)`
        select event_id, reason, created_at from audit_entries
        where user_id = ${userId} and reason is not null order by id`,
  },
  {
    name: 'acts-as-organizer',
    tables: ['audit_entries'],
    rows: (db, userId) => allRows<object>(db)`
        select id, event_id, act, subject_id, reason, created_at from audit_entries
        where actor_id = ${userId} order by id`,
  },
]
