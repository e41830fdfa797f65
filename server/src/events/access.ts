import { type Capability, can, type Standing } from '@afterglow/contract/capabilities'
import { eventStatus, joinMode, visibility } from '@afterglow/contract/events/event'
import type { Db, Transaction } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { listWaiting } from './members/join-requests-store.ts'
import * as members from './members/members-store.ts'
import { type InEvent, type Manageable, type May, requireMay } from './standing.ts'
import * as store from './store.ts'

type Event = store.EventRow

// ---- rules ----

const concerned = new Set<Standing>(['asked', 'invited'])

export const isPlanned = (event: Pick<Event, 'status'>) => event.status === eventStatus.planned
/**
 * Only a public event is visible to everybody, others to the people they concern, and one that is not listed to those
 * who are in it.
 */
export const maySee = (event: Event) =>
  can(event.standing, 'see') ||
  (event.listed && (event.visibility === visibility.public || concerned.has(event.standing)))
/** Where it takes place is for those who are in it, if its organizers want that. */
export const mayKnowPlace = (event: Event) => !event.location_hidden || can(event.standing, 'read')
/** The list of guests is for everybody in it, or for its organizers. */
export const maySeeGuests = (event: Pick<Event, 'guests_hidden' | 'standing'>) =>
  !event.guests_hidden || can(event.standing, 'manage')
export const placeShown = (event: Event) => (mayKnowPlace(event) ? event.location : null)
export const mayInvite = (event: Event) => can(event.standing, 'invite') && isPlanned(event) && event.listed
/** Asking would have an effect: joining the event or its waiting list. */
export const mayAsk = (event: Event) =>
  isPlanned(event) &&
  (event.standing === 'invited' ||
    (event.join_mode !== joinMode.invitation && (event.standing === 'none' || event.standing === 'removed')))
/** A cancelled event takes no more messages and photos; existing ones can still be liked and commented on. */
export const mayAdd = (event: Pick<Event, 'standing' | 'status'>, what: 'write' | 'upload') =>
  can(event.standing, what) && isPlanned(event)
/** The owner hands the event over first. */
export const mayLeave = (event: Event) => can(event.standing, 'upload') && !can(event.standing, 'own')

// ---- doors ----

/** The event and the viewer's standing. Refuses noSuchEvent, alike for deleted, invisible and nonexistent events. */
export const eventFor = async (db: Db, viewer: Pick<Viewer, 'id'>, id: number): Promise<Event> => {
  const event = await store.readEvent(db, viewer.id, id)
  return event && maySee(event) ? event : refuse('noSuchEvent')
}

/**
 * The same for a change to the event or to who is in it: nobody else can make one until the transaction ends. The
 * standing is read after waiting for the lock, in a separate statement: a joined row would predate the wait.
 */
export const eventToChange = async (tx: Transaction, viewer: Viewer, id: number): Promise<Event> => {
  if (!(await store.lockEvent(tx, id))) refuse('noSuchEvent')
  return eventFor(tx, viewer, id)
}

/**
 * A page of the people waiting to join an event to which the viewer invites. Refuses noSuchEvent, notOrganizer: the
 * documented words, even for an event the viewer may not see, because the existence of an ID is no secret.
 */
export const waitingFor = async (db: Db, viewer: Viewer, eventId: number, range: store.Range) => {
  const people = await listWaiting(db, viewer.id, eventId, range)
  if (people.length === 0)
    requireCapability((await store.readEvent(db, viewer.id, eventId)) ?? refuse('noSuchEvent'), 'invite')
  return people
}

/** Refuses notOrganizer. */
export const requireCapability = <What extends Capability>(event: Event, what: What): Event & May<What> =>
  requireMay(event, what, 'notOrganizer')
export const requireOwner = (event: Event): Event & Manageable & May<'own'> =>
  requireMay(requireCapability(event, 'manage'), 'own', 'notOwner')
export const requirePlanned = <Proved extends Event>(event: Proved): Proved =>
  isPlanned(event) ? event : refuse('cancelled')
/** For whatever lets people in. */
export const requireListed = <Proved extends Event>(event: Proved): Proved =>
  event.listed ? event : refuse('unlisted')
export const requireMember = (event: Event): Event & InEvent => requireMay(event, 'read', 'notInEvent')

/**
 * The viewer's standing, guaranteed until the transaction ends: a concurrent removal either waits for it, or has
 * committed before and takes effect. Takes a share lock on their row of `guests`; the lock order is event → guests →
 * chat → message or photo → comment. Returns `none` for a deleted event.
 */
export const lockStanding = (tx: Transaction, viewer: Viewer, eventId: number): Promise<Standing> =>
  members.lockStanding(tx, viewer.id, eventId)
