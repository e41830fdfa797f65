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

export const askToJoin = route('askToJoin', 'POST api/event/join/request/{event_id}', {
  summary:
    'Asks to join an event. Open events are joined immediately, as is any event the viewer is invited to. Anyone who was removed needs an organizer’s approval again.',
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

export const withdrawJoinRequest = route('withdrawJoinRequest', 'DELETE api/event/join/request/{event_id}', {
  summary: "Withdraws the viewer's join request.",
  input: z.object({ event_id: Id }),
  reply: JoinRequest('withdrawn'),
  refusals: { noSuchEvent, notAsked: says('The user has not asked to join the event') },
})

export const listJoinRequests = route('listJoinRequests', 'GET api/event/join/requests/{event_id}', {
  documented: true,
  summary: 'Lists pending join requests, oldest first.',
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(MinimalUser),
  refusals: { noSuchEvent, notOrganizer },
})

const answer = { noSuchEvent, notOrganizer, cancelled, notAsked: says('The user has not asked to join the event') }

export const approveJoinRequest = route(
  'approveJoinRequest',
  'PUT api/event/join/requests/approve/{event_id}/{user_id}',
  {
    summary: 'Approves a join request.',
    input: z.object({ event_id: Id, user_id: Id }),
    reply: JoinRequest('approved'),
    refusals: answer,
  },
)

export const rejectJoinRequest = route('rejectJoinRequest', 'PUT api/event/join/requests/reject/{event_id}/{user_id}', {
  summary: 'Rejects a join request.',
  input: z.object({ event_id: Id, user_id: Id }),
  reply: JoinRequest('rejected'),
  refusals: answer,
  takes: { back: 'invite', tells: 'notification', audits: 'request.rejected' },
})
