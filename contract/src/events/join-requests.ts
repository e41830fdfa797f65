import { z } from 'zod'
import { MinimalUser } from '../accounts/user.ts'
import { cancelled, noSuchEvent, notOrganizer } from '../events.ts'
import { type RefusalPage, reload } from '../refusal-advice.ts'
import { route, says } from '../route.ts'
import { Id, Page, Paging } from '../words.ts'

const JoinRequest = (...statuses: [string, ...string[]]) => z.strictObject({ join_request_status: z.enum(statuses) })

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  alreadyIn: { cause: 'The caller is already in the event.', client: 'Reload the event and open it.' },
  invitationOnly: { cause: 'The event can only be joined by invitation.', client: 'Do not offer to ask.' },
  notAsked: {
    cause: 'This person has no pending join request: they never asked, withdrew it, or were answered.',
    client: reload,
  },
} satisfies Record<string, RefusalPage>

export const askToJoin = route({
  name: 'askToJoin',
  summary:
    'Asks to join an event. Open events are joined immediately, as is any event the viewer is invited to. Anyone who was removed needs an organizer’s approval again.',
  at: [['POST', 'api/event/join/request/{event_id}']],
  idempotent: true,
  input: z.object({ event_id: Id }),
  reply: JoinRequest('joined', 'pending'),
  refusals: {
    noSuchEvent,
    cancelled,
    alreadyIn: says('The user is already in the event'),
    invitationOnly: says('The event can only be joined by invitation'),
  },
})

export const withdrawJoinRequest = route({
  name: 'withdrawJoinRequest',
  summary: "Withdraws the viewer's join request.",
  at: [['DELETE', 'api/event/join/request/{event_id}']],
  input: z.object({ event_id: Id }),
  reply: JoinRequest('withdrawn'),
  refusals: { noSuchEvent, notAsked: says('The user has not asked to join the event') },
})

export const listJoinRequests = route({
  name: 'listJoinRequests',
  documented: true,
  summary: 'Lists pending join requests, oldest first.',
  at: [['GET', 'api/event/join/requests/{event_id}']],
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(MinimalUser),
  refusals: { noSuchEvent, notOrganizer },
})

const answer = { noSuchEvent, notOrganizer, cancelled, notAsked: says('The user has not asked to join the event') }

export const approveJoinRequest = route({
  name: 'approveJoinRequest',
  summary: 'Approves a join request.',
  at: [['PUT', 'api/event/join/requests/approve/{event_id}/{user_id}']],
  input: z.object({ event_id: Id, user_id: Id }),
  reply: JoinRequest('approved'),
  refusals: answer,
})

export const rejectJoinRequest = route({
  name: 'rejectJoinRequest',
  summary: 'Rejects a join request.',
  at: [['PUT', 'api/event/join/requests/reject/{event_id}/{user_id}']],
  input: z.object({ event_id: Id, user_id: Id }),
  reply: JoinRequest('rejected'),
  refusals: answer,
  takes: { back: 'invite', tells: 'notification', audits: 'request.rejected' },
})
