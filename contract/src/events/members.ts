import { z } from 'zod'
import { proveFirst } from '../accounts/passwords.ts'
import { MinimalUser } from '../accounts/user.ts'
import { noSuchEvent, notInEvent, notOrganizer, notOwner } from '../events.ts'
import { searchLengthMax } from '../limits.ts'
import type { RefusalPage } from '../refusal-advice.ts'
import { notFound, route, says } from '../route.ts'
import { Done, Id, maybe, Page, Paging, shape, Timestamp, text } from '../words.ts'

export const Guest = shape('Guest', {
  user: MinimalUser,
  event_role: z.enum(['organizer', 'guest']).describe('Role of this person in the event: organizer or guest.'),
  /** One organizer of every event is its owner. */
  event_owner: z.boolean().describe('Whether this organizer is the owner of the event.'),
  joined_at: Timestamp.describe('When they joined.'),
})
const noSuchUser = notFound('User not found!')
const lastOrganizer = says('The event must keep at least one organizer')
const ownerStays = says('The owner of an event hands it over first')
const noDevice = says('An organizer added this person, who has no device')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  ownerStays: {
    cause: 'The owner of an event neither leaves it nor becomes a guest, while they own it.',
    client: 'Offer to hand the event over.',
  },
  notOffered: {
    cause: 'The owner has not offered the event to this person, or no longer does.',
    client: 'Reload the event: `offered_to` in its `extra` says whether there is an offer.',
  },
  notBroughtBack: {
    cause: 'They left by themselves, were removed more than a day ago, or came by a link that is closed.',
    client: 'Offer to invite them.',
  },
  lastOrganizer: {
    cause: 'The action would leave the event without an organizer.',
    client: 'Offer to make someone else an organizer first.',
  },
  noDevice: {
    cause: 'An organizer added this person, and nobody has come as them yet: they can organize nothing.',
    client:
      'Offer to invite them. Once they have joined and an organizer has confirmed it, they can become an organizer.',
  },
  organizerStays: {
    cause: 'Organizers cannot be removed from an event.',
    client: 'Offer to make them a guest first.',
  },
} satisfies Record<string, RefusalPage>

export const listGuests = route('listGuests', 'GET api/event/guests/{event_id}', {
  summary:
    'Lists the people in an event: organizers first, then guests in the order they joined. With name, only those for whom each word of it begins a part of their name. Where the list is hidden (`guests_hidden`), a guest gets the organizers and themselves.',
  input: z.object({
    event_id: Id,
    name: maybe(text(searchLengthMax)).describe('Only guests whose name or username contains this.'),
    ...Paging,
  }),
  reply: Page(Guest),
  refusals: { noSuchEvent, notInEvent },
})

export const removeGuest = route('removeGuest', 'DELETE api/event/guest/{event_id}/{user_id}', {
  summary: 'Removes a guest and invalidates every media link of the event, also those given to others.',
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notOrganizer, noSuchUser, organizerStays: says('An organizer cannot be removed') },
  takes: { back: 'bringGuestBack', backHours: 24, tells: 'notification', audits: 'guest.removed' },
})

export const bringGuestBack = route('bringGuestBack', 'PUT api/event/guest/{event_id}/{user_id}', {
  summary:
    'Brings back somebody whom an organizer removed within the last day, as if they had stayed: with their answer, and without having to accept. Somebody who is in the event stays as they are.',
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notOrganizer, noSuchUser, notBroughtBack: says('This person was not removed within a day') },
})

export const leaveEvent = route('leaveEvent', 'DELETE api/event/leave/{event_id}', {
  summary: 'Leaves an event and invalidates every media link given to the viewer. The owner hands it over first.',
  input: z.object({ event_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notInEvent, lastOrganizer, ownerStays },
})

export const makeOrganizer = route('makeOrganizer', 'PUT api/event/organizer/{event_id}/{user_id}', {
  summary: 'Makes a guest an organizer.',
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Guest,
  refusals: { noSuchEvent, notOrganizer, proveFirst, noSuchUser, noDevice },
})

export const unmakeOrganizer = route('unmakeOrganizer', 'DELETE api/event/organizer/{event_id}/{user_id}', {
  summary: 'Makes an organizer a guest again. Nobody does that to the owner.',
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Guest,
  refusals: { noSuchEvent, notOrganizer, proveFirst, noSuchUser, lastOrganizer, ownerStays },
  takes: { back: 'makeOrganizer', proof: 'always', tells: 'notification', audits: 'organizer.unmade' },
})

export const handOver = route('handOver', 'PUT api/event/owner/{event_id}/{user_id}', {
  opens: ['event on offer'],
  summary:
    'Hands an event over, in two steps. The owner names somebody in the event and so offers it to them; that person calls the same operation with their own ID and is the owner from then on. The former owner stays as an organizer. A new offer replaces the one before. Repeating either step has no effect.',
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Guest,
  refusals: {
    noSuchEvent,
    notInEvent,
    notOrganizer,
    notOwner,
    proveFirst,
    noSuchUser,
    noDevice,
    notOffered: says('The event has not been offered to the user'),
  },
  takes: { back: null, proof: 'always', tells: 'notification', audits: 'owner.offered' },
})

export const endOffer = route('endOffer', 'DELETE api/event/owner/{event_id}/{user_id}', {
  summary: 'Ends an offer of an event: the owner takes it back, or the person it was made to declines it.',
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notInEvent, notOrganizer, notOwner },
  takes: { back: 'handOver', tells: 'channel' },
})
