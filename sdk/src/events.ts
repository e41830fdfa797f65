import type * as contract from '@afterglow/contract/events'
import type * as audit from '@afterglow/contract/events/audit'
import type * as invitations from '@afterglow/contract/events/invitations'
import type * as joinRequests from '@afterglow/contract/events/join-requests'
import type * as members from '@afterglow/contract/events/members'
import type * as waiting from '@afterglow/contract/waiting'
import { operation } from './operation.ts'

/**
 * Creates an event with its group chat or, with event_id, updates one. An update changes what it names: what is
 * omitted stays, and null or "" clears the description, location or end. Another beginning moves everything that has
 * a time along, by the clock on the wall, unless the same request says otherwise. By default a new event is public,
 * requires approval to join, and is in its creator’s time zone.
 *
 * `POST api/event`, at most 120 times a minute. Takes an `idempotencyKey`. Has `extra`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws cancelled: The event has been cancelled
 * @throws eventChanged: The event has been changed
 * @throws guestAccount: Guests make no events and links here
 * @throws personFull: You have used all the space that you have for files.
 * @throws instanceFull: This server has no more space for files.
 */
export const saveEvent = operation<typeof contract.saveEvent, { event_avatar?: Blob }>('POST', 'api/event')
/**
 * Holds an event again at another time: with its picture, its settings, and what is planned for it. The caller owns
 * it; those who are in it are invited, its organizers as organizers, except who declined a repeat of it. No photo,
 * message or link comes along.
 *
 * `POST api/event/again/{event_id}`, at most 120 times a minute. Takes an `idempotencyKey`. Has `extra`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws unlisted: Nobody can be let into the event at the moment
 * @throws guestAccount: Guests make no events and links here
 * @throws copiedLately: The guests were invited to a repeat of this event today, or three times this year
 */
export const copyEvent = operation<typeof contract.copyEvent>('POST', 'api/event/again/{event_id}')
/**
 * Lists the viewer's events, latest start first; the past and hosting filters narrow this list. upcoming: the
 * viewer's events that are not over, earliest start first. public: all public events that are neither over nor
 * cancelled, earliest end first. deleted: what the viewer owned and deleted, and can still restore. An event without
 * an end is over a day after its start.
 *
 * `GET api/event/list`, at most 120 times a minute. Has `extra`.
 */
export const listEvents = operation<typeof contract.listEvents>('GET', 'api/event/list')
/**
 * Returns an event.
 *
 * `GET api/event/details/{event_id}`, at most 240 times a minute. Has `extra`.
 * @throws noSuchEvent: Event not found!
 */
export const readEvent = operation<typeof contract.readEvent>('GET', 'api/event/details/{event_id}')
/**
 * Cancels an event. Its chat and gallery remain readable. Cancelling again has no effect.
 *
 * `PUT api/event/cancel/{event_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 */
export const cancelEvent = operation<typeof contract.cancelEvent>('PUT', 'api/event/cancel/{event_id}')
/**
 * Plans an event again that was cancelled within the last thirty days; everybody in it is told. An event that is not
 * cancelled stays as it is.
 *
 * `DELETE api/event/cancel/{event_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws tooLateToUncancel: This event was cancelled more than thirty days ago
 */
export const uncancelEvent = operation<typeof contract.uncancelEvent>('DELETE', 'api/event/cancel/{event_id}')
/**
 * Deletes an event with its chat and gallery for everyone; everybody in it is told. The owner can restore it for
 * thirty days. Until then, what people uploaded stays in their own exports and downloads; then everything is erased.
 *
 * `DELETE api/event/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws notOwner: The user is not the owner of the event
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 */
export const deleteEvent = operation<typeof contract.deleteEvent>('DELETE', 'api/event/{event_id}')
/**
 * Restores an event that its owner deleted within the last thirty days, with everything in it. Restoring it again has
 * no effect.
 *
 * `PUT api/event/restore/{event_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws notOwner: The user is not the owner of the event
 */
export const restoreEvent = operation<typeof contract.restoreEvent>('PUT', 'api/event/restore/{event_id}')
/**
 * Asks to join an event. Open events are joined immediately, as is any event the viewer is invited to. Anyone who was
 * removed needs an organizer’s approval again.
 *
 * `POST api/event/join/request/{event_id}`, at most 120 times a minute. Takes an `idempotencyKey`.
 * @throws noSuchEvent: Event not found!
 * @throws cancelled: The event has been cancelled
 * @throws alreadyIn: The user is already in the event
 * @throws invitationOnly: The event can only be joined by invitation
 */
export const askToJoin = operation<typeof joinRequests.askToJoin>('POST', 'api/event/join/request/{event_id}')
/**
 * Withdraws the viewer's join request.
 *
 * `DELETE api/event/join/request/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notAsked: The user has not asked to join the event
 */
export const withdrawJoinRequest = operation<typeof joinRequests.withdrawJoinRequest>(
  'DELETE',
  'api/event/join/request/{event_id}',
)
/**
 * Lists pending join requests, oldest first.
 *
 * `GET api/event/join/requests/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const listJoinRequests = operation<typeof joinRequests.listJoinRequests>(
  'GET',
  'api/event/join/requests/{event_id}',
)
/**
 * Approves a join request.
 *
 * `PUT api/event/join/requests/approve/{event_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws cancelled: The event has been cancelled
 * @throws notAsked: The user has not asked to join the event
 */
export const approveJoinRequest = operation<typeof joinRequests.approveJoinRequest>(
  'PUT',
  'api/event/join/requests/approve/{event_id}/{user_id}',
)
/**
 * Rejects a join request.
 *
 * `PUT api/event/join/requests/reject/{event_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws cancelled: The event has been cancelled
 * @throws notAsked: The user has not asked to join the event
 */
export const rejectJoinRequest = operation<typeof joinRequests.rejectJoinRequest>(
  'PUT',
  'api/event/join/requests/reject/{event_id}/{user_id}',
)
/**
 * Invites people, and admits those who had already asked to join. Users the caller may not find are treated as
 * nonexistent. People who are already in the event, already invited or blocked by the caller are skipped;
 * invited_count counts the others. People who are neither friends of the caller nor have ever shared an event with
 * the caller are limited to 20 invitations a day. Each address in user_emails receives an e-mail with its own
 * single-use link, valid for 30 days, whether or not it has an account. Sending these requires a verified e-mail
 * address and is limited further on an account’s first day.
 *
 * `POST api/event/invite`, at most 120 times a minute. Takes an `idempotencyKey`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws cancelled: The event has been cancelled
 * @throws unlisted: Nobody can be let into the event at the moment
 * @throws tooManyStrangers: Too many of these people are neither friends nor known from an event, so nobody was
 * invited. Share a link instead, or go on tomorrow.
 * @throws unprovenEmail: Please confirm your e-mail address before you invite by mail.
 */
export const invite = operation<typeof invitations.invite>('POST', 'api/event/invite')
/**
 * Lists the viewer's pending invitations, newest first.
 *
 * `GET api/event/invites`, at most 120 times a minute. Has `extra`.
 */
export const listInvitations = operation<typeof invitations.listInvitations>('GET', 'api/event/invites')
/**
 * Accepts an invitation and makes the viewer a guest. Accepting again has no effect.
 *
 * `PUT api/event/invite/accept/{invitation_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchInvitation: Invitation not found!
 * @throws cancelled: The event has been cancelled
 */
export const acceptInvitation = operation<typeof invitations.acceptInvitation>(
  'PUT',
  'api/event/invite/accept/{invitation_id}',
)
/**
 * Declines an invitation. Declining again has no effect.
 *
 * `PUT api/event/invite/decline/{invitation_id}`, at most 120 times a minute.
 * @throws noSuchInvitation: Invitation not found!
 */
export const declineInvitation = operation<typeof invitations.declineInvitation>(
  'PUT',
  'api/event/invite/decline/{invitation_id}',
)
/**
 * Lists the people in an event: organizers first, then guests in the order they joined. With name, only those for
 * whom each word of it begins a part of their name.
 *
 * `GET api/event/guests/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listGuests = operation<typeof members.listGuests>('GET', 'api/event/guests/{event_id}')
/**
 * Removes a guest and invalidates every media link of the event, also those given to others.
 *
 * `DELETE api/event/guest/{event_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws noSuchUser: User not found!
 * @throws organizerStays: An organizer cannot be removed
 */
export const removeGuest = operation<typeof members.removeGuest>('DELETE', 'api/event/guest/{event_id}/{user_id}')
/**
 * Brings back somebody whom an organizer removed within the last day, as if they had stayed: with their answer, and
 * without having to accept. Somebody who is in the event stays as they are.
 *
 * `PUT api/event/guest/{event_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws noSuchUser: User not found!
 * @throws notBroughtBack: This person was not removed within a day
 */
export const bringGuestBack = operation<typeof members.bringGuestBack>('PUT', 'api/event/guest/{event_id}/{user_id}')
/**
 * Leaves an event and invalidates every media link given to the viewer. The owner hands it over first.
 *
 * `DELETE api/event/leave/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws lastOrganizer: The event must keep at least one organizer
 * @throws ownerStays: The owner of an event hands it over first
 */
export const leaveEvent = operation<typeof members.leaveEvent>('DELETE', 'api/event/leave/{event_id}')
/**
 * Makes a guest an organizer.
 *
 * `PUT api/event/organizer/{event_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws noSuchUser: User not found!
 */
export const makeOrganizer = operation<typeof members.makeOrganizer>('PUT', 'api/event/organizer/{event_id}/{user_id}')
/**
 * Makes an organizer a guest again. Nobody does that to the owner.
 *
 * `DELETE api/event/organizer/{event_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws noSuchUser: User not found!
 * @throws lastOrganizer: The event must keep at least one organizer
 * @throws ownerStays: The owner of an event hands it over first
 */
export const unmakeOrganizer = operation<typeof members.unmakeOrganizer>(
  'DELETE',
  'api/event/organizer/{event_id}/{user_id}',
)
/**
 * Hands an event over, in two steps. The owner names somebody in the event and so offers it to them; that person
 * calls the same operation with their own ID and is the owner from then on. The former owner stays as an organizer. A
 * new offer replaces the one before. Repeating either step has no effect.
 *
 * `PUT api/event/owner/{event_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws notOwner: The user is not the owner of the event
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws noSuchUser: User not found!
 * @throws notOffered: The event has not been offered to the user
 */
export const handOver = operation<typeof members.handOver>('PUT', 'api/event/owner/{event_id}/{user_id}')
/**
 * Ends an offer of an event: the owner takes it back, or the person it was made to declines it.
 *
 * `DELETE api/event/owner/{event_id}/{user_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws notOwner: The user is not the owner of the event
 */
export const endOffer = operation<typeof members.endOffer>('DELETE', 'api/event/owner/{event_id}/{user_id}')
/**
 * Lists the acts of the organizers, newest first. Organizers only. Entries are never removed.
 *
 * `GET api/event/audit/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const listAudit = operation<typeof audit.listAudit>('GET', 'api/event/audit/{event_id}')
/**
 * Lists what waits for the viewer in the events that they organize, the longest first.
 *
 * `GET api/event/waiting`, at most 240 times a minute.
 */
export const listWaiting = operation<typeof waiting.listWaiting>('GET', 'api/event/waiting')
