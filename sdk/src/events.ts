import type * as contract from '@afterglow/contract/events'
import { operation } from './operation.ts'

export const saveEvent = operation<typeof contract.saveEvent, { event_avatar?: Blob }>('POST', 'api/event')
export const listEvents = operation<typeof contract.listEvents>('GET', 'api/event/list')
export const readEvent = operation<typeof contract.readEvent>('GET', 'api/event/details/{event_id}')
export const cancelEvent = operation<typeof contract.cancelEvent>('PUT', 'api/event/cancel/{event_id}')
export const deleteEvent = operation<typeof contract.deleteEvent>('DELETE', 'api/event/{event_id}')
export const askToJoin = operation<typeof contract.askToJoin>('POST', 'api/event/join/request/{event_id}')
export const withdrawJoinRequest = operation<typeof contract.withdrawJoinRequest>(
  'DELETE',
  'api/event/join/request/{event_id}',
)
export const listJoinRequests = operation<typeof contract.listJoinRequests>('GET', 'api/event/join/requests/{event_id}')
export const approveJoinRequest = operation<typeof contract.approveJoinRequest>(
  'PUT',
  'api/event/join/requests/approve/{event_id}/{user_id}',
)
export const rejectJoinRequest = operation<typeof contract.rejectJoinRequest>(
  'PUT',
  'api/event/join/requests/reject/{event_id}/{user_id}',
)
export const invite = operation<typeof contract.invite>('POST', 'api/event/invite')
export const listInvitations = operation<typeof contract.listInvitations>('GET', 'api/event/invites')
export const acceptInvitation = operation<typeof contract.acceptInvitation>(
  'PUT',
  'api/event/invite/accept/{invitation_id}',
)
export const declineInvitation = operation<typeof contract.declineInvitation>(
  'PUT',
  'api/event/invite/decline/{invitation_id}',
)
export const listGuests = operation<typeof contract.listGuests>('GET', 'api/event/guests/{event_id}')
export const removeGuest = operation<typeof contract.removeGuest>('DELETE', 'api/event/guest/{event_id}/{user_id}')
export const leaveEvent = operation<typeof contract.leaveEvent>('DELETE', 'api/event/leave/{event_id}')
export const makeOrganizer = operation<typeof contract.makeOrganizer>('PUT', 'api/event/organizer/{event_id}/{user_id}')
export const unmakeOrganizer = operation<typeof contract.unmakeOrganizer>(
  'DELETE',
  'api/event/organizer/{event_id}/{user_id}',
)
export const handOver = operation<typeof contract.handOver>('PUT', 'api/event/owner/{event_id}/{user_id}')
export const endOffer = operation<typeof contract.endOffer>('DELETE', 'api/event/owner/{event_id}/{user_id}')
export const listAudit = operation<typeof contract.listAudit>('GET', 'api/event/audit/{event_id}')
