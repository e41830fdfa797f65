import { z } from 'zod'
import { proveFirst } from './accounts/passwords.ts'
import { chatFields } from './chat-fields.ts'
import { Event, EventTheme, PhotoApproval } from './events/event.ts'
import { eventDescriptionLengthMax, eventLocationLengthMax, eventNameLengthMax, eventYearMin } from './limits.ts'
import { planFields } from './plan-fields.ts'
import { programmeFields } from './programme-fields.ts'
import { offerNot, type RefusalPage, reload } from './refusal-advice.ts'
import { revealFields } from './reveal-fields.ts'
import { noRoom, notFound, route, says } from './route.ts'
import {
  choice,
  Done,
  Flag,
  Id,
  Moment,
  maybe,
  OptionalId,
  Page,
  Paging,
  PlaceTimezone,
  sentence,
  shortText,
  text,
} from './words.ts'

/** A year before is a mistake; one after 9999 in UTC cannot be written as a timestamp. */
const When = Moment.refine(moment => moment.getUTCFullYear() >= eventYearMin, sentence.fromYear(eventYearMin))
  .refine(moment => moment.getUTCFullYear() <= 9999, sentence.date)
  .meta({ type: 'string', format: 'date-time' })

export const noSuchEvent = notFound('Event not found!')
export const notOrganizer = says('The user is not an organizer of the event')
export const unlisted = says('Nobody can be let into the event at the moment')
export const notInEvent = says('The user is neither a guest nor an organizer of the event')
export const cancelled = says('The event has been cancelled')
export const guestAccount = says('Guests make no events and links here')
export const eventChanged = says('The event has been changed')
export const notOwner = says('The user is not the owner of the event')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  guestAccount: {
    cause:
      'Accounts are not open to everybody on this instance, and the viewer is a guest who joined by a link with a name.',
    client: 'Do not offer it to guests (`user_status` 5) unless `registration` of the list of providers is `open`.',
  },
  noSuchEvent: {
    cause:
      'The event does not exist. Operations beyond the documented interface also say so if the caller may not see it.',
    client: reload,
  },
  notInEvent: {
    cause: 'The caller is neither a guest nor an organizer of the event.',
    client: 'Remove everything about the event from the screen and from caches, and reload the list of events.',
  },
  eventChanged: {
    cause: 'Somebody has changed the event since it was read with the `updated_at` that was sent along.',
    client:
      'Load the event again, show what has changed beside what was entered, and send it with the new `updated_at`.',
  },
  notOrganizer: { cause: 'Only organizers of the event may do this.', client: offerNot },
  notOwner: {
    cause: 'Only the owner of the event may do this; other organizers may not.',
    client: 'Offer it only if `may.own` in the event’s `extra` is true.',
  },
  unlisted: {
    cause:
      'The operator took the event out of the lists, or nobody takes care of it because its owner is suspended. Nobody new can come in.',
    client: 'Do not offer to invite. The event’s `may.invite` says when it is possible again.',
  },
  copiedLately: {
    cause: 'Repeats of an event invite its guests once a day, and three times a year.',
    client: 'Offer to repeat it without inviting them, and to share a link.',
  },
  tooLateToUncancel: {
    cause: 'More than thirty days have passed since the event was cancelled.',
    client: 'Offer to hold the event again.',
  },
  cancelled: { cause: 'The event has been cancelled.', client: 'Reload the event and show that it is cancelled.' },
} satisfies Record<string, RefusalPage>

/** Required of a new event. Checked even if other fields are invalid, so that one answer names them all. */
const ofNew = (field: string) => ({
  path: [field],
  error: sentence.required,
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
})

export const saveEvent = route('saveEvent', 'POST api/event', {
  words: true,
  summary:
    'Creates an event with its group chat or, with event_id, updates one. An update changes what it names: what is omitted stays, and null or "" clears the description, location or end. Another beginning moves everything that has a time along, by the clock on the wall, unless the same request says otherwise. By default a new event is public, requires approval to join, and is in its creator’s time zone.',
  idempotent: true,
  extra: true,
  input: z
    .object({
      event_id: OptionalId,
      event_updated_at: maybe(Moment).describe(
        'The updated_at with which the event was read: the update is refused if it has been changed since.',
      ),
      event_name: shortText(eventNameLengthMax).optional().describe('Required for a new event.'),
      event_description: text(eventDescriptionLengthMax).nullish().describe('Description of the event.'),
      event_starts_at: When.optional().describe('Required for a new event.'),
      event_ends_at: When.nullish().describe('When the event ends. Without it, the end is open.'),
      event_timezone: maybe(PlaceTimezone).describe('Time zone of the venue. By default the creator’s.'),
      event_location: shortText(eventLocationLengthMax).nullish().describe('Where the event takes place.'),
      event_visibility: maybe(choice([1, 2, 3])).describe('1 public, 2 by link, 3 private. By default 1.'),
      event_join_mode: maybe(choice([1, 2, 3])).describe('1 open, 2 with approval, 3 by invitation. By default 2.'),
      event_attachments_to_album: maybe(Flag).describe(
        'Whether guests may add pictures from other people’s messages to the gallery.',
      ),
      event_guests_may_share: maybe(Flag).describe('Whether guests are offered to pass on the link they joined by.'),
      event_greetings_on_wall: maybe(Flag).describe('Whether the live wall shows short messages from the chat.'),
      event_location_hidden: maybe(Flag).describe(
        'Whether only people in the event are told where it takes place. By default everyone who sees it is.',
      ),
      event_guests_hidden: maybe(Flag).describe(
        'Whether guests see of its people only the organizers. By default they see everybody.',
      ),
      event_page_lives: maybe(Flag).describe(
        'Whether its page shows what counts before, during and after it. By default it does.',
      ),
      event_photo_approval: maybe(PhotoApproval).describe(
        'Whether photos by guests are seen at once (none), or wait for an organizer before they are on the wall (wall) or in the album (album). By default none.',
      ),
      event_theme: maybe(EventTheme).describe('What is drawn where it has no photo. By default the client chooses.'),
      event_link: maybe(Flag).describe(
        'Whether a link for guests is made with a new event; the reply has it in extra.event_link. By it people join at once or, while the event is by invitation only, ask to.',
      ),
      ...planFields,
      ...programmeFields,
      ...revealFields,
      ...chatFields,
    })
    .refine(({ event_id, event_name }) => event_id || event_name !== undefined, ofNew('event_name'))
    .refine(({ event_id, event_starts_at }) => event_id || event_starts_at !== undefined, ofNew('event_starts_at')),
  files: { event_avatar: { bytesMax: 'attachmentBytesMax' } },
  reply: Event,
  refusals: {
    noSuchEvent,
    notOrganizer,
    cancelled,
    eventChanged,
    guestAccount,
    ...noRoom(says),
  },
  takes: { back: 'saveEvent', tells: 'notification', audits: 'event.changed' },
})

export const copyEvent = route('copyEvent', 'POST api/event/again/{event_id}', {
  summary:
    'Holds an event again at another time: with its picture, its settings, and what is planned for it. The caller owns it; its organizers are invited as organizers and, with guests_invited, its guests, except who declined a repeat of it. No photo, message or link comes along.',
  idempotent: true,
  extra: true,
  input: z.object({
    event_id: Id,
    event_starts_at: When.describe('When it starts this time. Everything else that has a time is as much later.'),
    event_name: maybe(shortText(eventNameLengthMax)).describe('What it is called this time. By default as before.'),
    guests_invited: maybe(Flag).describe('Whether everybody who is in the event is invited. By default nobody is.'),
  }),
  reply: Event,
  refusals: {
    noSuchEvent,
    notOrganizer,
    unlisted,
    guestAccount,
    copiedLately: says('The guests were invited to a repeat of this event today, or three times this year'),
  },
})

export const listEvents = route('listEvents', 'GET api/event/list', {
  summary:
    "Lists the viewer's events, latest start first; the past and hosting filters narrow this list. upcoming: the viewer's events that are not over, earliest start first. public: all public events that are neither over nor cancelled, earliest end first. deleted: what the viewer owned and deleted, and can still restore. An event without an end is over a day after its start.",
  extra: true,
  input: z.object({
    filter: maybe(z.enum(['upcoming', 'past', 'hosting', 'public', 'deleted'], sentence.selected)).describe(
      'Which events to list: upcoming, past, hosting or public.',
    ),
    ...Paging,
  }),
  reply: Page(Event),
  refusals: {},
})

export const readEvent = route('readEvent', 'GET api/event/details/{event_id}', {
  summary: 'Returns an event.',
  perMinute: 240,
  extra: true,
  input: z.object({ event_id: Id }),
  reply: Event,
  refusals: { noSuchEvent },
})

export const cancelEvent = route('cancelEvent', 'PUT api/event/cancel/{event_id}', {
  summary: 'Cancels an event. Its chat and gallery remain readable. Cancelling again has no effect.',
  extra: true,
  input: z.object({ event_id: Id }),
  reply: Event,
  refusals: { noSuchEvent, notOrganizer, proveFirst },
  takes: {
    back: 'uncancelEvent',
    backHours: 30 * 24,
    proof: 'always',
    tells: 'notification',
    audits: 'event.cancelled',
  },
})

export const uncancelEvent = route('uncancelEvent', 'DELETE api/event/cancel/{event_id}', {
  summary:
    'Plans an event again that was cancelled within the last thirty days; everybody in it is told. An event that is not cancelled stays as it is.',
  extra: true,
  input: z.object({ event_id: Id }),
  reply: Event,
  refusals: {
    noSuchEvent,
    notOrganizer,
    tooLateToUncancel: says('This event was cancelled more than thirty days ago'),
  },
})

export const deleteEvent = route('deleteEvent', 'DELETE api/event/{event_id}', {
  summary:
    'Deletes an event with its chat and gallery for everyone; everybody in it is told. The owner can restore it for thirty days. Until then, what people uploaded stays in their own exports and downloads; then everything is erased.',
  input: z.object({ event_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notOrganizer, notOwner, proveFirst },
  takes: { back: 'restoreEvent', backHours: 30 * 24, proof: 'always', tells: 'notification', audits: 'event.deleted' },
})

export const restoreEvent = route('restoreEvent', 'PUT api/event/restore/{event_id}', {
  summary:
    'Restores an event that its owner deleted within the last thirty days, with everything in it. Restoring it again has no effect.',
  extra: true,
  input: z.object({ event_id: Id }),
  reply: Event,
  refusals: { noSuchEvent, notOrganizer, notOwner },
})
