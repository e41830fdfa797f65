import { eventStatus, joinMode, visibility } from '@afterglow/contract/events'
import type { Db, Transaction } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import * as members from './members-store.ts'
import { isInEvent, isOrganizer, type Standing } from './standing.ts'
import * as store from './store.ts'

type Event = store.EventRow

// ---- rules ----

const knowsOf = new Set<Standing>(['organizer', 'guest', 'asked', 'invited'])

export const isPlanned = (event: Pick<Event, 'status'>) => event.status === eventStatus.planned
/** Only a public event shows itself to everybody; the others to whom they concern. */
export const maySee = (event: Event) => event.visibility === visibility.public || knowsOf.has(event.standing)
export const mayManage = (event: Event) => isOrganizer(event.standing)
export const mayInvite = (event: Event) => mayManage(event) && isPlanned(event)
/** Whether asking would lead anywhere: into the event or onto the list of those who wait. */
export const mayAsk = (event: Event) =>
  isPlanned(event) &&
  (event.standing === 'invited' ||
    (event.join_mode !== joinMode.invitation && (event.standing === 'none' || event.standing === 'removed')))
/** A cancelled event takes no more messages and photos; what is there is still liked and commented on. */
export const mayWrite = (event: Pick<Event, 'standing' | 'status'>) => isInEvent(event.standing) && isPlanned(event)
/** Somebody must stay who can manage the event. */
export const mayLeave = (event: Event) =>
  isInEvent(event.standing) && !(isOrganizer(event.standing) && event.no_other_organizer)

// ---- doors ----

/** The event and the viewer's standing. Refuses noSuchEvent, the same for what is deleted, hidden and never was. */
export const eventFor = async (db: Db, viewer: Viewer, id: number): Promise<Event> => {
  const event = await store.readEvent(db, viewer.id, id)
  return event && maySee(event) ? event : refuse('noSuchEvent')
}

/**
 * The same for a change of the event or of who is in it: nobody else makes one until the transaction ends.
 * The standing is read after the wait for the lock, in a statement of its own: a joined row would be one from before.
 */
export const eventToChange = async (tx: Transaction, viewer: Viewer, id: number): Promise<Event> => {
  if (!(await store.lockEvent(tx, id))) refuse('noSuchEvent')
  return eventFor(tx, viewer, id)
}

/**
 * A page of who waits to join an event that the viewer organizes. Refuses noSuchEvent, notOrganizer: the
 * documented words, also of an event that does not show itself, as a number that exists is no secret.
 */
export const waitingFor = async (db: Db, viewer: Viewer, eventId: number, range: store.Range) => {
  const people = await members.listWaiting(db, viewer.id, eventId, range)
  if (people.length === 0) demandOrganizer((await store.readEvent(db, viewer.id, eventId)) ?? refuse('noSuchEvent'))
  return people
}

export const demandOrganizer = (event: Event): Event => (mayManage(event) ? event : refuse('notOrganizer'))
export const demandPlanned = (event: Event): Event => (isPlanned(event) ? event : refuse('cancelled'))
export const demandInEvent = (event: Event): Event => (isInEvent(event.standing) ? event : refuse('notInEvent'))

/**
 * The viewer's standing, kept true until the transaction ends: who removes them at the same time waits for it, or has
 * committed before and is obeyed. Takes a share lock on their row of `guests`; the lock order is
 * event → guests → chat → message or photo → comment. Says `none` of a deleted event.
 */
export const lockStanding = (tx: Transaction, viewer: Viewer, eventId: number): Promise<Standing> =>
  members.lockStanding(tx, viewer.id, eventId)
