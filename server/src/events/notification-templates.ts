import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import type { ChangeRow } from '../log/announce.ts'
import { excerpt, nameToRing } from '../notifications/excerpt.ts'
import type { HoldEvents, Notice, NoticeChanges, NoticeTemplates } from '../notifications/notices.ts'
import type { EventPart, TextValues } from '../notifications/texts.ts'
import { type ChangedEvent, readChangedEvents } from './changed-events-store.ts'

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

type Written = Omit<Notice, 'values' | 'eventId'> & { values?: TextValues }

const telling =
  (write: (event: ChangedEvent, change: ChangeRow) => Written | readonly Written[]): NoticeChanges =>
  async (tx, changes) => {
    const told = await readChangedEvents(tx, changes)
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

/** Changes of the event as a whole, for everybody in it, regardless of blocks. */
const ofEvent = (
  kind: 'event_cancelled' | 'event_uncancelled' | 'event_restored',
  to: readonly number[],
  eventId: number | null,
): Written => ({
  kind,
  to,
  link: `/events/${eventId}`,
  tag: `event:${eventId}`,
  subjectId: eventId,
  reason: reasons.inEvent,
  despiteBlocks: true,
})

/** The operator's decisions, for the organizers. */
const listing = (kind: 'event_unlisted' | 'event_listed', to: readonly number[], eventId: number | null): Written => ({
  kind,
  to,
  link: `/events/${eventId}`,
  tag: `listing:${eventId}`,
  subjectId: eventId,
  reason: reasons.organizer,
})

export const eventNoticing: NoticeTemplates = {
  'join.requested': telling(({ organizers, asks }, { event_id, actor_id }) => ({
    kind: 'join_request',
    to: asks ? organizers : [],
    link: `/events/${event_id}/requests`,
    tag: `join_request:${event_id}:${actor_id}`,
    subjectId: actor_id,
    reason: reasons.organizer,
  })),

  // The service's own act: the person asking is not signed in.
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

  'guest.left': telling((_, { event_id, user_id, detail }) => ({
    kind: 'guest_removed',
    to: detail.removed && user_id ? [user_id] : [],
    link: '/events',
    tag: `member:${event_id}`,
    subjectId: event_id,
    reason: reasons.outside,
    despiteBlocks: true,
  })),

  'guest.updated': telling(({ members, organizers }, { event_id, subject_id }) => ({
    kind: 'organizer_unmade',
    to: organizers.includes(subject_id) ? [] : only(subject_id, members),
    link: `/events/${event_id}`,
    tag: `member:${event_id}`,
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

  'event.restored': telling(({ members }, { event_id }) => ofEvent('event_restored', members, event_id)),

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

  'event.cancelled': telling(({ members }, { event_id }) => ofEvent('event_cancelled', members, event_id)),
  'event.uncancelled': telling(({ members, planned }, { event_id }) =>
    ofEvent('event_uncancelled', planned ? members : [], event_id),
  ),
}
