import type * as contract from '@afterglow/contract/plans'
import { operation } from './operation.ts'

/**
 * Returns whether there is a URL at which calendar apps subscribe to all of the caller’s events, and when it was last
 * used. Showing it requires recent re-authentication: it outlives the session.
 *
 * `GET api/calendar/feed`, at most 120 times a minute.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 */
export const readCalendarFeed = operation<typeof contract.readCalendarFeed>('GET', 'api/calendar/feed')
/**
 * Creates the URL at which calendar apps can subscribe to all of the caller’s events. It is secret: whoever knows it
 * can read them. One that was created before stops working. Requires recent re-authentication. It ends when the
 * account is deleted and, unless it is kept, when it signs out everywhere or gets another password.
 *
 * `POST api/calendar/feed`, at most 120 times a minute. Takes an `idempotencyKey`.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 */
export const makeCalendarFeed = operation<typeof contract.makeCalendarFeed>('POST', 'api/calendar/feed')
/**
 * Ends the calendar subscription: its URL stops working at once. Ending it again has no effect.
 *
 * `DELETE api/calendar/feed`, at most 120 times a minute.
 */
export const endCalendarFeed = operation<typeof contract.endCalendarFeed>('DELETE', 'api/calendar/feed')
/**
 * Returns what the caller answered to an event, and how many people come.
 *
 * `GET api/event/answer/{event_id}`, at most 240 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const readAnswer = operation<typeof contract.readAnswer>('GET', 'api/event/answer/{event_id}')
/**
 * Says whether the caller comes to an event, with how many others, and what the organizers should know. It replaces
 * an earlier answer. When all places are taken, they wait in a line, which moves up by itself.
 *
 * `POST api/event/answer`, at most 120 times a minute. Takes an `idempotencyKey`.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws cancelled: The event has been cancelled
 * @throws eventOver: The event is over
 */
export const answerEvent = operation<typeof contract.answerEvent>('POST', 'api/event/answer')
/**
 * Lists who answered what: those who come in the order of their answers, the line in its own, then maybe, no, and who
 * has not answered. Organizers only.
 *
 * `GET api/event/answers/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const listAnswers = operation<typeof contract.listAnswers>('GET', 'api/event/answers/{event_id}')
/**
 * Returns all answers as a table for a spreadsheet (CSV). No cell is a formula. Organizers only.
 *
 * `GET api/event/answers/csv/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const exportAnswers = operation<typeof contract.exportAnswers>('GET', 'api/event/answers/csv/{event_id}')
/**
 * Returns the URL of an event as an iCalendar file, which a browser opens without a bearer token.
 *
 * `GET api/event/calendar/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 */
export const linkCalendar = operation<typeof contract.linkCalendar>('GET', 'api/event/calendar/{event_id}')
