import { z } from 'zod'
import { route } from './route.ts'
import { Count, IdNumber, Page, Paging, shape, Timestamp } from './words.ts'

/* Items that wait for an event's organizers: `events.ts` shows them in `extra`, and one list has them across events. */

export const waitingKinds = ['photos', 'join_requests', 'returns', 'reports'] as const

const waiting = {
  waiting_kind: z
    .enum(waitingKinds)
    .describe('What waits: photos to approve, requests to join or to be let in again, open reports.'),
  waiting_count: Count.describe('How many wait.'),
  waiting_since: Timestamp.describe('Since when the first of them waits.'),
}

export const waitingExtra = {
  waiting: z
    .array(z.strictObject(waiting))
    .describe('What waits for the viewer as an organizer; empty for everybody else.'),
}

export const Waiting = shape('Waiting', { event_id: IdNumber, event_name: z.string(), ...waiting })

export const listWaiting = route('listWaiting', 'GET api/event/waiting', {
  summary: 'Lists what waits for the viewer in the events that they organize, the longest first.',
  perMinute: 240,
  input: z.object(Paging),
  reply: Page(Waiting),
  refusals: {},
})
