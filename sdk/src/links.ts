import type * as contract from '@afterglow/contract/links'
import type * as opened from '@afterglow/contract/links/opened-links'
import type * as screens from '@afterglow/contract/links/screens'
import type * as away from '@afterglow/contract/links/sent-away'
import { operation } from './operation.ts'

/**
 * Creates a link that admits anyone who has it, regardless of visibility and join mode. Organizers only. Its kind
 * says what it makes of them: a guest (the default), somebody who only adds photos, or nobody, who only looks. It can
 * have an expiry time, a maximum number of uses and a PIN.
 *
 * `POST api/event/link`, at most 120 times a minute. Takes an `idempotencyKey`. Has `extra`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws cancelled: The event has been cancelled
 * @throws unlisted: Nobody can be let into the event at the moment
 * @throws guestAccount: Guests make no events and links here
 */
export const makeLink = operation<typeof contract.makeLink>('POST', 'api/event/link')
/**
 * Lists the links of an event, newest first. Organizers only.
 *
 * `GET api/event/link/list/{event_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const listLinks = operation<typeof contract.listLinks>('GET', 'api/event/link/list/{event_id}')
/**
 * Revokes a link. People who joined by it stay in the event; whoever only adds photos or looks by it is out at once.
 *
 * `DELETE api/event/link/{link_id}`, at most 120 times a minute.
 * @throws noSuchLink: Link not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const revokeLink = operation<typeof contract.revokeLink>('DELETE', 'api/event/link/{link_id}')
/**
 * Revokes every link of an event at once. People who joined by them stay in the event; whoever only adds photos or
 * looks by them is out at once.
 *
 * `DELETE api/event/links/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 */
export const revokeLinks = operation<typeof contract.revokeLinks>('DELETE', 'api/event/links/{event_id}')
/**
 * Opens a link again that was revoked within the last thirty days, or that paused because far more people had joined
 * by it than its event can expect. Any other link stays as it is. Whoever only added photos or looked by it opens it
 * anew.
 *
 * `PUT api/event/link/reopen/{link_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchLink: Link not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws tooLateToReopen: This link was closed more than thirty days ago
 */
export const reopenLink = operation<typeof contract.reopenLink>('PUT', 'api/event/link/reopen/{link_id}')
/**
 * Closes a link and sends away everybody who came by it since a moment; organizers stay. For an hour it can be
 * undone. Repeating it within that hour widens it, and it is undone as one.
 *
 * `POST api/event/link/away/{link_id}`, at most 120 times a minute.
 * @throws noSuchLink: Link not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const sendAwayByLink = operation<typeof away.sendAwayByLink>('POST', 'api/event/link/away/{link_id}')
/**
 * Lists who was sent away by which link of an event, newest first. Organizers only.
 *
 * `GET api/event/link/away/list/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const listSentAway = operation<typeof away.listSentAway>('GET', 'api/event/link/away/list/{event_id}')
/**
 * Brings back everybody who was sent away together and is still out because of it, and opens the link again. Any
 * organizer, within an hour.
 *
 * `DELETE api/event/link/away/undo/{away_id}`, at most 120 times a minute.
 * @throws noSuchSentAway: Nobody was sent away like this!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws tooLateToUndo: This can only be undone for an hour
 */
export const undoSentAway = operation<typeof away.undoSentAway>('DELETE', 'api/event/link/away/undo/{away_id}')
/**
 * Returns the event that a link leads to. The code is the link’s, or its short one, which may be typed with or
 * without its dash and in small letters; so few wrong short codes are answered in an hour that nobody finds one by
 * trying.
 *
 * `GET api/event/link/open/{code}`, at most 300 times a minute.
 * @throws noSuchLink: Link not found!
 * @throws cancelled: The event has been cancelled
 * @throws linkExpired: The link has expired
 * @throws linkUsedUp: The link has been used up
 */
export const openLink = operation<typeof opened.openLink>('GET', 'api/event/link/open/{code}')
/**
 * Joins an event by link. Without a bearer token, a name is enough: this creates a guest account and signs its device
 * in. With one, the signed-in user joins, and the reply repeats their token. Repeating the Idempotency-Key signs in
 * again instead of creating another account, so the key must be hard to guess: at least 32 characters. With
 * event_answer, it says whether they come.
 *
 * `POST api/event/link/join/{code}`, at most 300 times a minute. Takes an `idempotencyKey`.
 * @throws noSuchLink: Link not found!
 * @throws cancelled: The event has been cancelled
 * @throws linkExpired: The link has expired
 * @throws linkUsedUp: The link has been used up
 * @throws linkLocked: The link is locked after too many wrong PINs
 * @throws wrongPin: The PIN is wrong
 * @throws linkPaused: Unusually many people have joined by the link, so it is paused until an organizer opens it
 * again
 * @throws linkMakesNobody: This link shows the event without anybody joining it
 * @throws eventOver: The event is over
 * @throws wasRemoved: An organizer took the user out of the event, and only an organizer can let them in again
 */
export const joinByLink = operation<typeof opened.joinByLink>('POST', 'api/event/link/join/{code}')
/**
 * Opens a link that makes nobody a guest, and returns a token for what it shows. No name, no account; nothing can be
 * changed with it. The same device_id gets the same place again. A link of the kind screen is open on 20 screens at
 * most.
 *
 * `POST api/event/link/view/{code}`, at most 300 times a minute.
 * @throws noSuchLink: Link not found!
 * @throws cancelled: The event has been cancelled
 * @throws linkExpired: The link has expired
 * @throws linkUsedUp: The link has been used up
 * @throws linkLocked: The link is locked after too many wrong PINs
 * @throws wrongPin: The PIN is wrong
 * @throws linkMakesGuests: This link is for joining the event
 * @throws tooManyViewers: This link is open on as many devices as it can be
 */
export const viewByLink = operation<typeof opened.viewByLink>('POST', 'api/event/link/view/{code}')
/**
 * Lists the screens of an event, newest first. Organizers only.
 *
 * `GET api/event/screen/list/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const listScreens = operation<typeof screens.listScreens>('GET', 'api/event/screen/list/{event_id}')
/**
 * Ends what one screen shows; its link stays open, and can be opened on it again. Organizers only.
 *
 * `DELETE api/event/screen/{screen_id}`, at most 120 times a minute.
 * @throws noSuchScreen: Screen not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const endScreen = operation<typeof screens.endScreen>('DELETE', 'api/event/screen/{screen_id}')
