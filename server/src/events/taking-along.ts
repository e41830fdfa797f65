import { sql } from 'kysely'
import { allOf, type Chapter } from '../platform/chapters.ts'

/** Where one is and was, what one opened, asked for and was asked to. */
export const eventChapters: Chapter[] = [
  {
    name: 'events',
    tables: ['guests', 'guest_lines'],
    rows: (db, userId) =>
      allOf(
        sql<object>`
          select e.id, e.name, e.starts_at, g.organizer, g.joined_at, g.ended_at, g.removed
          from guests g join events e on e.id = g.event_id
          where g.user_id = ${userId} order by e.id`.execute(db),
      ),
  },
  {
    name: 'events-opened',
    tables: ['events'],
    rows: (db, userId) =>
      allOf(
        sql<object>`
          select id, name, description, starts_at, ends_at, timezone, location, visibility, join_mode, status, created_at,
            deleted_at from events where created_by = ${userId} order by id`.execute(db),
      ),
  },
  {
    name: 'join-requests',
    tables: ['join_requests'],
    rows: (db, userId) =>
      allOf(
        sql<object>`
          select r.event_id, e.name as event, r.status, r.asked_at, r.answered_at
          from join_requests r join events e on e.id = r.event_id
          where r.user_id = ${userId} order by r.event_id`.execute(db),
      ),
  },
  {
    name: 'invitations',
    tables: ['invitations'],
    rows: (db, userId) =>
      allOf(
        sql<object>`
          select i.id, i.event_id, e.name as event, i.status, i.created_at,
            case when i.user_id = ${userId} then 'received' else 'sent' end as direction
          from invitations i join events e on e.id = i.event_id
          where i.user_id = ${userId} or i.invited_by = ${userId} order by i.id`.execute(db),
      ),
  },
  {
    name: 'links-made',
    tables: ['event_links'],
    rows: (db, userId) =>
      allOf(
        sql<object>`
          select id, event_id, uses, uses_max, expires_at, revoked_at, created_at from event_links
          where created_by = ${userId} order by id`.execute(db),
      ),
  },
  {
    name: 'acts-as-organizer',
    tables: ['audit_entries'],
    rows: (db, userId) =>
      allOf(
        sql<object>`
          select id, event_id, act, subject_id, created_at from audit_entries
          where actor_id = ${userId} order by id`.execute(db),
      ),
  },
]
