import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import type { ChangeRow } from '../notifications/announcing.ts'
import { nameToRing } from '../notifications/excerpt.ts'
import type { HoldEvents, Notice, NoticeChanges, Noticing } from '../notifications/notices.ts'
import type { Transaction } from '../platform/database.ts'

/* What happens to events and who is in them, told to those whom it concerns. A text is written when it is told. */

/** Who comes, goes or is made an organizer waits for this, so that nobody is told who has left before. */
export const holdEvents: HoldEvents = (tx, eventIds) =>
  sql`select from events where id = any(${eventIds}::bigint[]) order by id for share`.execute(tx)

/** A change with what its text needs. */
type Told = {
  id: number
  event: string
  actor: string
  members: number[]
  organizers: number[]
  /** Whom it was about, if their invitation or their request still stands. */
  invited: number[]
  asks: boolean
}

/** In one query for all changes; one of a deleted event is not there. */
const readTold = async (tx: Transaction, changes: readonly ChangeRow[]): Promise<ReadonlyMap<number, Told>> => {
  const { rows } = await sql<Told>`
    select c.id, e.name as event, concat_ws(' ', a.first_name, nullif(a.last_name, '')) as actor,
      (select coalesce(json_agg(user_id), '[]') from guests g where g.event_id = e.id and g.ended_at is null) as members,
      (select coalesce(json_agg(user_id), '[]') from guests g
        where g.event_id = e.id and g.ended_at is null and g.organizer) as organizers,
      (select coalesce(json_agg(user_id), '[]') from invitations i
        where i.event_id = e.id and i.user_id = c.user_id and i.status = 'open') as invited,
      exists (select from join_requests r
        where r.event_id = e.id and r.user_id = c.subject_id and r.status = 'asked') as asks
    from changes c join events e on e.id = c.event_id and e.deleted_at is null join users a on a.id = c.actor_id
    where c.id = any(${changes.map(change => change.id)}::bigint[])`.execute(tx)
  return new Map(rows.map(row => [row.id, { ...row, event: nameToRing(row.event), actor: nameToRing(row.actor) }]))
}

const telling =
  (write: (told: Told, change: ChangeRow) => Omit<Notice, 'title' | 'eventId'>): NoticeChanges =>
  async (tx, changes) => {
    const told = await readTold(tx, changes)
    return new Map(
      changes.map(change => {
        const about = told.get(change.id)
        return [change.id, about ? [{ ...write(about, change), title: about.event, eventId: change.event_id }] : []]
      }),
    )
  }

const only = (userId: number | null, among: readonly number[]) => among.filter(id => id === userId)

export const eventNoticing: Noticing = {
  'join.requested': telling(({ actor, organizers, asks }, { event_id, actor_id }) => ({
    kind: 'join_request',
    to: asks ? organizers : [],
    body: `${actor} asks to join.`,
    link: `/events/${event_id}/requests`,
    tag: `join_request:${event_id}:${actor_id}`,
    subjectId: actor_id,
    reason: reasons.organizer,
  })),

  'join.approved': telling(({ members }, { event_id, user_id }) => ({
    kind: 'join_approved',
    to: only(user_id, members),
    body: 'You are in: your request to join was approved.',
    link: `/events/${event_id}`,
    tag: `join_answer:${event_id}`,
    subjectId: event_id,
    reason: reasons.askedToJoin,
  })),

  'join.rejected': telling((_, { event_id, user_id }) => ({
    kind: 'join_rejected',
    to: user_id ? [user_id] : [],
    body: 'Your request to join was not approved.',
    link: '/events',
    tag: `join_answer:${event_id}`,
    subjectId: event_id,
    reason: reasons.askedToJoin,
  })),

  'invitation.opened': telling(({ actor, invited }, { event_id, user_id }) => ({
    kind: 'invitation',
    to: only(user_id, invited),
    body: `${actor} invites you.`,
    link: '/invitations',
    tag: `invitation:${event_id}`,
    subjectId: event_id,
    reason: reasons.invited,
  })),

  'event.updated': telling(({ actor, members }, { event_id, detail }) => ({
    kind: 'event_changed',
    to: members,
    body: `${actor} changed ${listOf(detail.changed)}.`,
    link: `/events/${event_id}`,
    tag: `event:${event_id}`,
    subjectId: event_id,
    reason: reasons.inEvent,
  })),

  'event.cancelled': telling(({ actor, members }, { event_id }) => ({
    kind: 'event_cancelled',
    to: members,
    body: `${actor} called it off.`,
    link: `/events/${event_id}`,
    tag: `event:${event_id}`,
    subjectId: event_id,
    reason: reasons.inEvent,
  })),
}

const listOf = (parts: readonly string[]) => new Intl.ListFormat('en').format(parts)
