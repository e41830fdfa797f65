import { can, type Role } from '@afterglow/contract/capabilities'
import type { ChannelEvents } from '@afterglow/contract/realtime'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentMinimalUser } from '../accounts/present-person.ts'
import {
  type AddressedPayload,
  type ChangePresenter,
  type ChangePresenters,
  idsOf,
  type Recipient,
} from '../channel/payloads.ts'
import type { ChangeRow } from '../log/announce.ts'
import type { Db } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import { type EventPart, openPresent } from './event-parts.ts'
import * as members from './members/members-store.ts'
import { presentGuest } from './present.ts'
import * as store from './store.ts'

/* Channel payloads for changes to an event and to who is in it. */

/**
 * An event looks the same to everybody with the same role, except to the person it is offered to; it is not shown to
 * people who have left.
 */
const showEvents = (parts: readonly EventPart[]): ChangePresenter => {
  const present = openPresent(parts)
  return async (db, changes, recipientsOf, urls) => {
    const asked = changes.flatMap(change => {
      const inside = recipientsOf(change).filter(({ standing }) => can(standing, 'see'))
      return [...Map.groupBy(inside, ({ standing }) => standing as Role)].map(([standing, alike]) => ({
        id: change.id,
        eventId: change.subject_id,
        standing,
        to: alike.map(({ id }) => id),
      }))
    })
    const rows = await store.eventsAsSeenBy(db, asked)
    const groups = asked.flatMap(({ id, to }, at) => {
      const row = rows[at]
      if (!row) return []
      const byOffer = Map.groupBy(to, user => user === row.offered_to)
      return [...byOffer].map(([offered, to]) => ({ id, to, seen: { ...row, offered } }))
    })
    const seen = groups.map(group => group.seen)
    const payloads = await present.all(db, seen, { urls, extra: true })
    return grouped(groups.map(({ id, to }, at) => [id, { payload: payloads[at], to }] as const))
  }
}

type Counted = ChannelEvents['guests.counted']
/** Guests from whom the payload is hidden get `counted` instead. */
type Shown = { payload: unknown; hidden?: boolean; counted?: Counted }

/** Presents each change identically for everyone, or not at all. */
const alike =
  (
    shownOf: (db: Db, changes: readonly ChangeRow[], urls: Urls) => Promise<(change: ChangeRow) => Shown | undefined>,
  ): ChangePresenter =>
  async (db, changes, recipientsOf, urls) => {
    const shown = await shownOf(db, changes, urls)
    return grouped(
      changes.flatMap(change => {
        const { payload, hidden, counted } = shown(change) ?? {}
        if (payload === undefined) return []
        const isFor = ({ id, standing }: Recipient) => !hidden || id === change.subject_id || can(standing, 'manage')
        const people = Map.groupBy(recipientsOf(change), isFor)
        const groups: AddressedPayload[] = [{ payload, to: idsOf(people.get(true)) }]
        if (counted && people.has(false))
          groups.push({ kind: 'guests.counted', payload: counted, to: idsOf(people.get(false)) })
        return groups.map(group => [change.id, group] as const)
      }),
    )
  }

const grouped = (
  shown: readonly (readonly [number, AddressedPayload])[],
): ReadonlyMap<number, readonly AddressedPayload[]> => {
  const byChange = new Map<number, AddressedPayload[]>()
  for (const [id, group] of shown) byChange.set(id, [...(byChange.get(id) ?? []), group])
  return byChange
}

const showAsking = alike(async (db, changes, urls) => {
  const persons = await personsById(
    db,
    changes.map(({ subject_id }) => subject_id),
  )
  return ({ event_id, subject_id }) => ({
    payload: { event_id, user: presentMinimalUser(persons.get(subject_id) as Person, urls) },
  })
})

/** Someone who joined and left in the meantime is not announced as joining, because their leaving follows. */
const showGuests = (joining: boolean) =>
  alike(async (db, changes, urls) => {
    const guests = await members.guestsByIds(
      db,
      changes.map(({ event_id, subject_id }) => ({ eventId: event_id as number, userId: subject_id })),
    )
    const persons = await personsById(
      db,
      changes.map(({ subject_id }) => subject_id),
    )
    return ({ event_id, subject_id }) => {
      const guest = guests.get(`${event_id} ${subject_id}`)
      if (!guest) return undefined
      const shown = presentGuest(guest, persons.get(subject_id) as Person, urls)
      const { guests_count: event_guests_count } = guest
      return {
        payload: { event_id, ...(joining && { event_guests_count }), guest: shown },
        hidden: guest.guests_hidden && !can(guest.role, 'manage'),
        ...(joining && { counted: { event_id: guest.event_id, event_guests_count, removed: false } }),
      }
    }
  })

const showLeaving = alike(async (db, changes) => {
  const counts = await store.guestsCounts(
    db,
    changes.map(({ event_id }) => event_id as number),
  )
  return ({ event_id, subject_id, detail }) => {
    const { guests_count: event_guests_count = 0, guests_hidden: hidden = false } = counts.get(event_id as number) ?? {}
    const counted = { event_id: event_id as number, event_guests_count, removed: detail.removed as boolean }
    return { payload: { ...counted, user_id: subject_id }, hidden, counted }
  }
})

const showDeleted = alike(async () => ({ event_id }) => ({ payload: { event_id } }))

export const eventShowing = (parts: readonly EventPart[]): ChangePresenters => ({
  'event.updated': showEvents(parts),
  'event.cancelled': showEvents(parts),
  'event.deleted': showDeleted,
  'join.requested': showAsking,
  'join.approved': showAsking,
  'join.rejected': showAsking,
  'join.withdrawn': showAsking,
  'guest.joined': showGuests(true),
  'guest.updated': showGuests(false),
  'guest.left': showLeaving,
})
