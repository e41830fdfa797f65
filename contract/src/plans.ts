/** Answers to an event, and events in one's own calendar. */
import { z } from 'zod'
import { PersonName } from './accounts/account-fields.ts'
import { letInLately, proveFirst } from './accounts/passwords.ts'
import { MinimalUser } from './accounts/user.ts'
import { moveReasonLengthMax } from './limits.ts'
import { answerFields, answers } from './plan-fields.ts'
import { type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import {
  Count,
  Done,
  Flag,
  Id,
  IdNumber,
  Moment,
  maybe,
  OptionalId,
  Page,
  Paging,
  sentence,
  shape,
  shortText,
  Timestamp,
  Url,
} from './words.ts'

// ---- resources ----

/** An event as a file for calendars. */
export const CalendarLink = shape('CalendarLink', {
  /** Signed like media: it needs no bearer token and expires within 12 hours. */
  event_calendar_url: Url.describe(
    'The event as an iCalendar file. Signed, so it needs no bearer token; expires within 12 hours.',
  ),
})

/** The calendar of all events of a person. Its URL is enough to read it. */
export const CalendarFeed = shape('CalendarFeed', {
  /** Null if there is none. */
  calendar_feed_url: Url.nullable().describe(
    'Where calendar apps subscribe to all events of the user (iCalendar). The URL is enough to read it; null if there is none, or if it was not to be shown.',
  ),
  last_used_at: Timestamp.nullable().describe('When a calendar last read it, give or take an hour.'),
  created_at: Timestamp.nullable().describe('When it was made; null if there is none.'),
})

const answered = {
  plus_ones: Count,
  plus_names: z.string().nullable(),
  answer_note: z.string().nullable(),
  /** `in`: has a seat. `line`: all places are taken. Null for those who do not come for certain. */
  answer_place: z.enum(['in', 'line']).nullable(),
  answered_at: Timestamp.nullable(),
  answered_for: Timestamp.nullable().describe(
    'The former beginning of the event that it was given for, if the event has moved to another day since; null otherwise.',
  ),
}

/** A person’s answer to an event, and how many people are coming. */
export const EventAnswer = shape('EventAnswer', {
  event_id: IdNumber,
  /** Null until they answer. */
  event_answer: z.enum(answers).nullable(),
  ...answered,
  /** How many parties are before theirs in the line. */
  line_before: Count.nullable().describe('How many parties are before theirs in the line; null if they are not in it.'),
  event_places: Count.nullable(),
  /** People, with whom they bring. */
  going_count: Count.describe('How many people come, plus-ones included.'),
  line_count: Count.describe('How many people are waiting for a place, plus-ones included.'),
  maybe_count: Count.describe('How many people may come.'),
  no_count: Count.describe('How many people do not come.'),
  unanswered_count: Count.describe('How many people in the event have not answered.'),
  unconfirmed_count: Count.describe('How many have not answered again since the event moved to another day.'),
  namesakes: z
    .array(MinimalUser)
    .describe('People of the viewer’s name whom an organizer added: the viewer may say that it is them.'),
})

/** What one person answered, for organizers. */
export const GuestAnswer = shape('GuestAnswer', {
  user: MinimalUser,
  event_answer: z.enum(answers).nullable(),
  ...answered,
  person_added: z.boolean().describe('Whether an organizer added them and nobody has come as them yet.'),
})

export const AnswersFile = shape('AnswersFile', {
  csv_name: z.string().describe('A name for the file.'),
  csv_text: z
    .string()
    .describe(
      'The table, UTF-8, with the separator that spreadsheets expect in its language, and the times of the venue.',
    ),
})

export const RemindedGuests = shape('RemindedGuests', {
  reminded_count: Count.describe(
    'How many people were reminded: those who have not answered, or not since the event moved to another day.',
  ),
})

// ---- refusals ----

const noSuchEvent = notFound('Event not found!')
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const notOrganizer = says('The user is not an organizer of the event')
const noSuchUser = notFound('User not found!')
const cancelled = says('The event has been cancelled')
export const eventOver = says('The event is over')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  eventOver: {
    cause:
      'The event has ended, or began more than a day ago with an open end: nobody answers any more whether they come.',
    client: 'Do not ask for an answer after the end of an event. Joining it is possible without one.',
  },
  answerChanged: {
    cause: 'Somebody has answered since the answer was read with the `answered_at` that was sent along.',
    client:
      'Load the answer again, show what has changed beside what was entered, and send it with the new `answered_at`.',
  },
  notInLine: { cause: 'They have a place already, or do not come for certain.', client: reload },
  remindedLately: {
    cause: 'Guests are reminded to answer at most once in 24 hours, and have been.',
    client: 'Say so, and offer it again a day later.',
  },
} satisfies Record<string, RefusalPage>

const answerChanged = says('Somebody has changed this answer')
const seenAnswer = maybe(Moment).describe(
  'The answered_at with which the answer was read, or any earlier time if there was none: it is refused if another has been given since.',
)

// ---- operations ----

export const readAnswer = route('readAnswer', 'GET api/event/answer/{event_id}', {
  summary: 'Returns what the caller answered to an event, and how many people come.',
  perMinute: 240,
  input: z.object({ event_id: Id }),
  reply: EventAnswer,
  refusals: { noSuchEvent, notInEvent },
})

export const answerEvent = route('answerEvent', 'POST api/event/answer', {
  opens: ['seat'],
  summary:
    'Answers an event: whether the caller comes, with how many companions, and a note for the organizers. With user_id, an organizer answers for a person in the event. A new answer replaces the earlier one; a no keeps the companions and the note. After the event has moved to another day, the same answer confirms it. When all places are taken, the person joins the waiting line, which moves up by itself.',
  idempotent: true,
  input: z.object({
    event_id: Id,
    user_id: OptionalId.describe(
      'Whose answer it is. By default the caller’s; organizers may name anybody in the event.',
    ),
    event_answer: z.enum(answers, sentence.selected),
    ...answerFields,
    answered_at: seenAnswer,
  }),
  reply: EventAnswer,
  refusals: { noSuchEvent, notInEvent, notOrganizer, noSuchUser, cancelled, eventOver, answerChanged },
})

export const addPerson = route('addPerson', 'POST api/event/person', {
  summary:
    'Adds a person without a device to an event, with their answer. The person counts as a guest. Somebody who joins by the same name later can claim to be that person. With user_id, the name and answer of a person who was added. Organizers only.',
  perMinute: 60,
  idempotent: true,
  words: true,
  input: z.object({
    event_id: Id,
    user_id: OptionalId.describe('The added person who is changed; somebody new by default.'),
    user_first_name: PersonName,
    user_last_name: maybe(PersonName).describe('Last name, if it is given.'),
    event_answer: maybe(z.enum(answers, sentence.selected)),
    ...answerFields,
    answered_at: seenAnswer,
  }),
  reply: GuestAnswer,
  refusals: { noSuchEvent, notOrganizer, noSuchUser, cancelled, eventOver, answerChanged },
})

export const moveUp = route('moveUp', 'PUT api/event/answer/front/{event_id}/{user_id}', {
  summary:
    'Moves somebody to the front of the line for places, for a reason that stands in the log. Somebody who is there already stays there. Organizers only.',
  words: true,
  input: z.object({
    event_id: Id,
    user_id: Id,
    move_reason: shortText(moveReasonLengthMax).describe('Why, for the other organizers.'),
  }),
  reply: EventAnswer,
  refusals: {
    noSuchEvent,
    notOrganizer,
    noSuchUser,
    cancelled,
    eventOver,
    notInLine: says('The user is not waiting for a place'),
  },
  takes: { back: 'moveUp', tells: 'channel', audits: 'guest.moved_up' },
})

export const listAnswers = route('listAnswers', 'GET api/event/answers/{event_id}', {
  summary:
    'Lists who answered what: those who come in the order of their answers, the line in its own, then maybe, no, and who has not answered. Organizers only.',
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(GuestAnswer),
  refusals: { noSuchEvent, notOrganizer },
})

export const exportAnswers = route('exportAnswers', 'GET api/event/answers/csv/{event_id}', {
  summary: 'Returns all answers as a table for a spreadsheet (CSV). No cell is a formula. Organizers only.',
  perMinute: 20,
  input: z.object({ event_id: Id }),
  reply: AnswersFile,
  refusals: { noSuchEvent, notOrganizer },
})

export const remindGuests = route('remindGuests', 'PUT api/event/answers/remind/{event_id}', {
  summary:
    'Reminds everybody in the event who has not answered, or not since it moved to another day; at most once a day. Organizers only.',
  input: z.object({ event_id: Id }),
  reply: RemindedGuests,
  refusals: {
    noSuchEvent,
    notOrganizer,
    cancelled,
    eventOver,
    remindedLately: says('The guests were reminded within the last day'),
  },
})

export const linkCalendar = route('linkCalendar', 'GET api/event/calendar/{event_id}', {
  opens: ['calendar of an event'],
  summary: 'Returns the URL of an event as an iCalendar file, which a browser opens without a bearer token.',
  input: z.object({ event_id: Id }),
  reply: CalendarLink,
  refusals: { noSuchEvent },
})

export const readCalendarFeed = route('readCalendarFeed', 'GET api/calendar/feed', {
  opens: ['calendar'],
  summary:
    'Returns whether there is a URL at which calendar apps subscribe to all of the caller’s events, and when it was last used. Showing it requires recent re-authentication: it outlives the session.',
  input: z.object({ show: maybe(Flag).describe('Whether the URL is returned, and not only that there is one.') }),
  reply: CalendarFeed,
  refusals: { proveFirst, letInLately },
})

export const makeCalendarFeed = route('makeCalendarFeed', 'POST api/calendar/feed', {
  opens: ['calendar'],
  summary:
    'Creates the URL at which calendar apps can subscribe to all of the caller’s events. It is secret: the URL is enough to read them. One that was created before stops working. Requires recent re-authentication. It ends when the account is deleted and, unless it is kept, when it signs out everywhere or gets another password.',
  idempotent: true,
  input: z.object({}),
  reply: CalendarFeed,
  refusals: { proveFirst, letInLately },
})

export const endCalendarFeed = route('endCalendarFeed', 'DELETE api/calendar/feed', {
  summary: 'Ends the calendar subscription: its URL stops working at once. Ending it again has no effect.',
  input: z.object({}),
  reply: Done,
  refusals: {},
})
