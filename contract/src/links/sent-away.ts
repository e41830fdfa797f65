import { z } from 'zod'
import { MinimalUser } from '../accounts/user.ts'
import { noSuchEvent, notOrganizer } from '../events.ts'
import { noSuchLink } from '../links.ts'
import { notFound, route, says } from '../route.ts'
import { Count, Done, Id, IdNumber, Moment, maybe, Page, Paging, shape, Timestamp } from '../words.ts'

/** A link was closed, and everybody sent away who came by it since a moment. */
export const SentAway = shape('SentAway', {
  id: IdNumber,
  event_id: IdNumber,
  link_id: IdNumber,
  away_since: Timestamp.describe('Who came by the link from then on was sent away.'),
  away_people_count: Count.describe('How many people were sent away.'),
  away_undo_until: Timestamp.describe('Until when it can be undone.'),
  away_undone: z.boolean().describe('Whether it was undone.'),
  sent_by: MinimalUser.describe('The organizer who sent them away.'),
  created_at: Timestamp,
})

export const sendAwayByLink = route('sendAwayByLink', 'POST api/event/link/away/{link_id}', {
  summary:
    'Closes a link and sends away everybody who came by it since a moment; organizers stay. For an hour it can be undone. Repeating it within that hour widens it, and it is undone as one.',
  input: z.object({
    link_id: Id,
    since: maybe(Moment).describe('Who came from then on; everybody who came by the link if absent.'),
  }),
  reply: SentAway,
  refusals: { noSuchLink, notOrganizer },
  takes: { back: 'undoSentAway', backHours: 1, tells: 'notification', audits: 'link.sent_away' },
})

export const listSentAway = route('listSentAway', 'GET api/event/link/away/list/{event_id}', {
  summary: 'Lists who was sent away by which link of an event, newest first. Organizers only.',
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(SentAway),
  refusals: { noSuchEvent, notOrganizer },
})

export const undoSentAway = route('undoSentAway', 'DELETE api/event/link/away/undo/{away_id}', {
  summary:
    'Brings back everybody who was sent away together and is still out because of it, and opens the link again. Any organizer, within an hour.',
  input: z.object({ away_id: Id.describe('ID of the act that sent people away.') }),
  reply: Done,
  refusals: {
    noSuchSentAway: notFound('Nobody was sent away like this!'),
    notOrganizer,
    tooLateToUndo: says('This can only be undone for an hour'),
  },
})
