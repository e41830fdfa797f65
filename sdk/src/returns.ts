import type * as contract from '@afterglow/contract/returns'
import { operation } from './operation.ts'

/**
 * Keeps a key with which a guest account signs in again on this device once its session has ended by itself. The
 * client chooses it: 32 random bytes. Each device has one; it ends when the device signs out or is signed out, when
 * an organizer removes the guest from this event, and when the account is claimed, suspended or erased.
 *
 * `POST api/user/return/key`, at most 30 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notGuest: The account is not a guest account
 */
export const makeReturnKey = operation<typeof contract.makeReturnKey>('POST', 'api/user/return/key')
/**
 * Signs this device in by the key that it kept. The key is replaced by the next one, which the client chooses and
 * stores before it asks: if the reply is lost, both are sent again.
 *
 * `POST api/user/return`, at most 30 times a minute.
 * @throws badCode: The code is invalid or has expired.
 */
export const returnByKey = operation<typeof contract.returnByKey>('POST', 'api/user/return')

/**
 * Returns the code with which a guest account signs in on any device, as often as its owner likes, until it has a
 * password. With `renew`, another one replaces it. It ends when the guest signs out another device or everywhere, and
 * when somebody is let in as this guest.
 *
 * `POST api/account/code`, at most 30 times a minute.
 * @throws notGuest: The account is not a guest account
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 */
export const keepOwnCode = operation<typeof contract.keepOwnCode>('POST', 'api/account/code')
/**
 * Returns whether a guest without a password goes by this name, so that whoever comes back does not join as somebody
 * new. Only somebody who could join by the link is told, and from one network so often only.
 *
 * `POST api/event/link/namesake/{code}`, at most 300 times a minute.
 * @throws noSuchLink: Link not found!
 * @throws cancelled: The event has been cancelled
 * @throws linkExpired: The link has expired
 * @throws linkUsedUp: The link has been used up
 * @throws linkLocked: The link is locked after too many wrong PINs
 * @throws wrongPin: The PIN is wrong
 * @throws linkPaused: Unusually many people have joined by the link, so it is paused until an organizer opens it
 * again
 */
export const findNamesake = operation<typeof contract.findNamesake>('POST', 'api/event/link/namesake/{code}')
/**
 * Asks the organizers to let the caller in again as the guest of this name. The client chooses the code, 32 random
 * bytes, and stores it before it asks; asking again with it has no effect. Once an organizer has let them in, it
 * signs in, like a transfer code. The answer is the same whether or not there is such a guest.
 *
 * `POST api/event/link/return/{code}`, at most 30 times a minute.
 * @throws noSuchLink: Link not found!
 * @throws cancelled: The event has been cancelled
 * @throws linkExpired: The link has expired
 * @throws linkUsedUp: The link has been used up
 * @throws linkLocked: The link is locked after too many wrong PINs
 * @throws wrongPin: The PIN is wrong
 * @throws linkPaused: Unusually many people have joined by the link, so it is paused until an organizer opens it
 * again
 * @throws badCode: The code is invalid or has expired.
 */
export const askToReturn = operation<typeof contract.askToReturn>('POST', 'api/event/link/return/{code}')
/**
 * Returns whether an organizer has answered. Ask every few seconds while somebody waits.
 *
 * `POST api/event/link/return`, at most 60 times a minute.
 * @throws badCode: The code is invalid or has expired.
 */
export const readReturn = operation<typeof contract.readReturn>('POST', 'api/event/link/return')
/**
 * Lists who asks to be let in again, oldest first. Organizers only.
 *
 * `GET api/event/returns/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const listReturns = operation<typeof contract.listReturns>('GET', 'api/event/returns/{event_id}')
/**
 * Lets whoever asks in again as this guest, who is told on their other devices. Organizers only; it is logged.
 * Repeating it has no effect.
 *
 * `PUT api/event/returns/approve/{return_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchReturn: Request not found!
 * @throws noSuchUser: User not found!
 * @throws returnAnswered: Somebody has answered this request already
 * @throws ownReturn: This request comes from a device on which you are signed in. Another organizer has to answer it.
 * @throws notLetIn: Only guests without a password who are in no event of other organizers can be let in again this
 * way
 */
export const approveReturn = operation<typeof contract.approveReturn>(
  'PUT',
  'api/event/returns/approve/{return_id}/{user_id}',
)
/**
 * Does not let whoever asks in again. Organizers only. Repeating it has no effect.
 *
 * `PUT api/event/returns/reject/{return_id}`, at most 120 times a minute.
 * @throws noSuchReturn: Request not found!
 * @throws returnAnswered: Somebody has answered this request already
 */
export const rejectReturn = operation<typeof contract.rejectReturn>('PUT', 'api/event/returns/reject/{return_id}')
/**
 * Creates a link that lets a guest in again who has no password and has lost their way back, once within 24 hours.
 * Organizers only; it is logged, and the guest is told on their other devices when it is used. It ends when they are
 * removed, and the session that it opens when the caller could not let them in any more: when the caller is no
 * organizer any more, or the guest is in an event that the caller does not organize.
 *
 * `POST api/event/guest/code`, at most 30 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws noSuchUser: User not found!
 * @throws notLetIn: Only guests without a password who are in no event of other organizers can be let in again this
 * way
 */
export const letInAgain = operation<typeof contract.letInAgain>('POST', 'api/event/guest/code')
