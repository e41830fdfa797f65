/* Generated from the contract by `npm run documents`. */
import type * as events from '@afterglow/contract/events'
import type * as eventsAudit from '@afterglow/contract/events/audit'
import type * as eventsInvitations from '@afterglow/contract/events/invitations'
import type * as eventsJoinRequests from '@afterglow/contract/events/join-requests'
import type * as eventsMembers from '@afterglow/contract/events/members'
import type * as waiting from '@afterglow/contract/waiting'
import { operation } from '../operation.ts'

export const acceptInvitation = operation<typeof eventsInvitations.acceptInvitation>('PUT', 'api/event/invite/accept/{invitation_id}')
export const approveJoinRequest = operation<typeof eventsJoinRequests.approveJoinRequest>('PUT', 'api/event/join/requests/approve/{event_id}/{user_id}')
export const askToJoin = operation<typeof eventsJoinRequests.askToJoin>('POST', 'api/event/join/request/{event_id}')
export const bringGuestBack = operation<typeof eventsMembers.bringGuestBack>('PUT', 'api/event/guest/{event_id}/{user_id}')
export const cancelEvent = operation<typeof events.cancelEvent>('PUT', 'api/event/cancel/{event_id}')
export const copyEvent = operation<typeof events.copyEvent>('POST', 'api/event/again/{event_id}')
export const declineInvitation = operation<typeof eventsInvitations.declineInvitation>('PUT', 'api/event/invite/decline/{invitation_id}')
export const deleteEvent = operation<typeof events.deleteEvent>('DELETE', 'api/event/{event_id}')
export const endOffer = operation<typeof eventsMembers.endOffer>('DELETE', 'api/event/owner/{event_id}/{user_id}')
export const handOver = operation<typeof eventsMembers.handOver>('PUT', 'api/event/owner/{event_id}/{user_id}')
export const invite = operation<typeof eventsInvitations.invite>('POST', 'api/event/invite')
export const leaveEvent = operation<typeof eventsMembers.leaveEvent>('DELETE', 'api/event/leave/{event_id}')
export const listAudit = operation<typeof eventsAudit.listAudit>('GET', 'api/event/audit/{event_id}')
export const listEvents = operation<typeof events.listEvents>('GET', 'api/event/list')
export const listGuests = operation<typeof eventsMembers.listGuests>('GET', 'api/event/guests/{event_id}')
export const listInvitations = operation<typeof eventsInvitations.listInvitations>('GET', 'api/event/invites')
export const listJoinRequests = operation<typeof eventsJoinRequests.listJoinRequests>('GET', 'api/event/join/requests/{event_id}')
export const listWaiting = operation<typeof waiting.listWaiting>('GET', 'api/event/waiting')
export const makeOrganizer = operation<typeof eventsMembers.makeOrganizer>('PUT', 'api/event/organizer/{event_id}/{user_id}')
export const readEvent = operation<typeof events.readEvent>('GET', 'api/event/details/{event_id}')
export const rejectJoinRequest = operation<typeof eventsJoinRequests.rejectJoinRequest>('PUT', 'api/event/join/requests/reject/{event_id}/{user_id}')
export const removeGuest = operation<typeof eventsMembers.removeGuest>('DELETE', 'api/event/guest/{event_id}/{user_id}')
export const restoreEvent = operation<typeof events.restoreEvent>('PUT', 'api/event/restore/{event_id}')
export const saveEvent = operation<typeof events.saveEvent, { event_avatar?: Blob }>('POST', 'api/event')
export const uncancelEvent = operation<typeof events.uncancelEvent>('DELETE', 'api/event/cancel/{event_id}')
export const unmakeOrganizer = operation<typeof eventsMembers.unmakeOrganizer>('DELETE', 'api/event/organizer/{event_id}/{user_id}')
export const withdrawJoinRequest = operation<typeof eventsJoinRequests.withdrawJoinRequest>('DELETE', 'api/event/join/request/{event_id}')
