import { audienceMay } from '@afterglow/contract/capabilities'
import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import type { ChangeRow } from '../log/announce.ts'
import { excerpt, nameToRing } from '../notifications/excerpt.ts'
import type { HoldEvents, Notice, NoticeChanges, Noticing } from '../notifications/notices.ts'
import type { EventPart, TextValues } from '../notifications/texts.ts'
import type { Transaction } from '../platform/database/database.ts'
import { listed } from './listed-sql.ts'
import { fewMay, roleMay } from './standing-sql.ts'

/* Notifications about events and memberships, for the people they concern. A text is rendered when it is sent. */

export const tags = {
  announcement: (id: number) => `announcement:${id}`,
  reminder: (eventId: number) => `reminder:${eventId}`,
  offer: (eventId: number) => `offer:${eventId}`,
  deleted: (eventId: number) => `deleted:${eventId}`,
}

/** Anyone joining, leaving or becoming an organizer waits for this lock, so that nobody is notified who has left. */
export const holdEvents: HoldEvents = (tx, eventIds) =>
  sql`select from events where id = any(${eventIds}::bigint[]) order by id for share`.execute(tx)

/** A change with everything its text needs. */
type Told = {
  id: number
  event: string
  /** Nobody's act is the operator's. */
  actor: string | undefined
  members: number[]
  /** Of them, those who do not see the photos that an announcement shows. */
  unseeing: number[]
  /** Of them, those who are not reminded, because they do not come and do not organize it. */
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
  /** Whoever asks to be let in again, while nobody has answered. */
  returning: string | null
  /** The new owner of a change of owners. */
  owner: string | null
}

/** In one query for all changes; changes to deleted events are missing, except that they were deleted. */
const readTold = async (tx: Transaction, changes: readonly ChangeRow[]): Promise<ReadonlyMap<number, Told>> => {
  const { rows } = await sql<Told>`
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

type Written = Omit<Notice, 'values' | 'eventId'> & { values?: TextValues }

const telling =
  (write: (told: Told, change: ChangeRow) => Written | readonly Written[]): NoticeChanges =>
  async (tx, changes) => {
    const told = await readTold(tx, changes)
    return new Map(
      changes.map(change => {
        const about = told.get(change.id)
        if (!about) return [change.id, []]
        const { event, actor } = about
        const written = [write(about, change)].flat()
        return [
          change.id,
          written.map(({ values, ...notice }) => ({
            ...notice,
            values: { event, ...(actor !== undefined && { actor }), ...values },
            eventId: change.event_id,
          })),
        ]
      }),
    )
  }

const only = (userId: number | null, among: readonly number[]) => among.filter(id => id === userId)

/** What the operator decided, for the organizers. */
const listing = (kind: 'event_unlisted' | 'event_listed', to: readonly number[], eventId: number | null): Written => ({
  kind,
  to,
  link: `/events/${eventId}`,
  tag: `listing:${eventId}`,
  subjectId: eventId,
  reason: reasons.organizer,
})

export const eventNoticing: Noticing = {
  'join.requested': telling(({ organizers, asks }, { event_id, actor_id }) => ({
    kind: 'join_request',
    to: asks ? organizers : [],
    link: `/events/${event_id}/requests`,
    tag: `join_request:${event_id}:${actor_id}`,
    subjectId: actor_id,
    reason: reasons.organizer,
  })),

  // Nobody's act: whoever asks is not signed in.
  'return.asked': telling(({ organizers, returning }, { event_id, subject_id }) => ({
    kind: 'return_request',
    to: returning === null ? [] : organizers,
    actorId: null,
    values: { actor: nameToRing(returning ?? '') },
    link: `/events/${event_id}/requests`,
    tag: `return_request:${event_id}`,
    subjectId: subject_id,
    reason: reasons.organizer,
  })),

  'guest.let_in': telling((_, { event_id, user_id }) => ({
    kind: 'let_in_again',
    to: user_id ? [user_id] : [],
    link: '/settings/devices',
    tag: `let_in_again:${event_id}`,
    subjectId: event_id,
    reason: reasons.inEvent,
    despiteBlocks: true,
  })),

  'join.approved': telling(({ members }, { event_id, user_id }) => ({
    kind: 'join_approved',
    to: only(user_id, members),
    link: `/events/${event_id}`,
    tag: `join_answer:${event_id}`,
    subjectId: event_id,
    reason: reasons.askedToJoin,
  })),

  'join.rejected': telling((_, { event_id, user_id }) => ({
    kind: 'join_rejected',
    to: user_id ? [user_id] : [],
    link: '/events',
    tag: `join_answer:${event_id}`,
    subjectId: event_id,
    reason: reasons.askedToJoin,
  })),

  'invitation.opened': telling(({ invited }, { event_id, user_id }) => ({
    kind: 'invitation',
    to: only(user_id, invited),
    link: '/invitations',
    tag: `invitation:${event_id}`,
    subjectId: event_id,
    reason: reasons.invited,
  })),

  'event.updated': (tx, changes) => {
    // Several at once become one notification covering all of them.
    const changed = new Map<number | null, Set<EventPart>>()
    for (const { event_id, detail } of changes)
      changed.set(event_id, new Set([...(changed.get(event_id) ?? []), ...(detail.changed as EventPart[])]))
    return telling(({ members, starts_at, timezone, place }, { event_id }) => ({
      kind: 'event_changed',
      to: members,
      values: {
        changed: [...(changed.get(event_id) ?? [])],
        startsAt: starts_at.toISOString(),
        timezone,
        ...(place && { place: nameToRing(place) }),
      },
      link: `/events/${event_id}`,
      tag: `event:${event_id}`,
      subjectId: event_id,
      reason: reasons.inEvent,
    }))(tx, changes)
  },

  'announcement.made': telling(({ members, unseeing, announced }, { event_id, subject_id }) => {
    if (announced === null) return []
    const { text, photos } = announced
    const about = {
      kind: 'announcement',
      link: `/events/${event_id}`,
      tag: tags.announcement(subject_id),
      subjectId: subject_id,
      reason: reasons.inEvent,
    } as const
    const values = { text: excerpt(text) }
    if (photos.length === 0) return { ...about, to: members, values }
    const apart = new Set(unseeing)
    return [
      { ...about, to: members.filter(id => !apart.has(id)), values: { ...values, shown: photos } },
      { ...about, to: unseeing, values },
    ]
  }),

  'reminder.due': telling(({ members, declined, starts_at, place, planned }, { event_id, detail }) => {
    const apart = new Set(declined)
    return {
      kind: 'reminder',
      to: planned && starts_at.toISOString() === detail.startsAt ? members.filter(id => !apart.has(id)) : [],
      actorId: null,
      values: { actor: undefined, startsAt: detail.startsAt, ...(place && { place: nameToRing(place) }) },
      link: `/events/${event_id}`,
      tag: tags.reminder(event_id ?? 0),
      subjectId: event_id,
      reason: reasons.inEvent,
    }
  }),

  'owner.offered': telling(({ offered_to }, { event_id, user_id }) => ({
    kind: 'owner_offered',
    to: user_id !== null && offered_to === user_id ? [user_id] : [],
    link: `/events/${event_id}`,
    tag: tags.offer(event_id ?? 0),
    subjectId: event_id,
    reason: reasons.inEvent,
  })),

  /** Also to the new owner, who may have become it by somebody's leaving. */
  'owner.changed': telling(({ organizers, owner }, { event_id, subject_id }) => {
    const about = { link: `/events/${event_id}`, tag: `owner:${event_id}`, subjectId: event_id }
    const others = organizers.filter(id => id !== subject_id)
    return [
      { ...about, kind: 'owner_made', to: [subject_id], actorId: null, reason: reasons.organizer },
      {
        ...about,
        kind: 'owner_changed',
        to: others,
        values: { actor: nameToRing(owner ?? '') },
        actorId: subject_id,
        reason: reasons.organizer,
        despiteBlocks: true,
      },
    ]
  }),

  'event.deleted': telling((_, { event_id, user_id }) => ({
    kind: 'event_deleted',
    to: user_id === null ? [] : [user_id],
    link: '/events',
    tag: tags.deleted(event_id ?? 0),
    subjectId: event_id,
    reason: reasons.inEvent,
    despiteBlocks: true,
  })),

  'event.restored': telling(({ members }, { event_id }) => ({
    kind: 'event_restored',
    to: members,
    link: `/events/${event_id}`,
    tag: `event:${event_id}`,
    subjectId: event_id,
    reason: reasons.inEvent,
    despiteBlocks: true,
  })),

  'event.unlisted': telling(({ organizers }, { event_id }) => listing('event_unlisted', organizers, event_id)),
  'event.listed': telling(({ organizers }, { event_id }) => listing('event_listed', organizers, event_id)),

  'link.paused': telling(({ organizers }, { event_id, subject_id }) => ({
    kind: 'link_paused',
    to: organizers,
    link: `/events/${event_id}/links`,
    tag: `link_paused:${subject_id}`,
    subjectId: subject_id,
    reason: reasons.organizer,
  })),

  'event.cancelled': telling(({ members }, { event_id }) => ({
    kind: 'event_cancelled',
    to: members,
    link: `/events/${event_id}`,
    tag: `event:${event_id}`,
    subjectId: event_id,
    reason: reasons.inEvent,
  })),
}
