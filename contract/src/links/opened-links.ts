import { z } from 'zod'
import { deviceFields, PersonName } from '../accounts/account-fields.ts'
import { AuthenticatedAccount, SeenUser } from '../accounts/user.ts'
import { cancelled, noSuchEvent } from '../events.ts'
import { guestsNamedMax, programmeOpenedMax, screensPerLinkMax } from '../limits.ts'
import { noSuchLink } from '../links.ts'
import { joinFields } from '../plan-fields.ts'
import { eventOver } from '../plans.ts'
import { ProgrammeEntry } from '../programme-fields.ts'
import { route, says } from '../route.ts'
import { AnyTimezone, Count, Id, IdNumber, maybe, shape, Timestamp, Url } from '../words.ts'
import { kindFields, LinkCode, LinkPin, photographerField } from './link-fields.ts'

/* The preview of an event for people outside it, and joining by a link. */

/** Fields that a stranger may read: with a link, or of a public event. */
const openedFields = {
  event_id: IdNumber,
  event_name: z.string(),
  event_starts_at: Timestamp,
  event_ends_at: Timestamp.nullable(),
  event_timezone: z.string(),
  event_timezone_offset: z
    .string()
    .describe(
      'The venue’s distance from UTC when the event starts, such as `+02:00`, for devices that do not know its time zone.',
    ),
  event_avatar_url: Url,
  event_location: z.string().nullable(),
  event_location_hidden: z
    .boolean()
    .describe('Whether only people in the event are told where it takes place: then every place here is null.'),
  event_description: z.string().nullable(),
  event_programme: z.array(ProgrammeEntry).describe(`What happens when: the first ${programmeOpenedMax} entries.`),
  going: z
    .array(z.strictObject({ user_first_name: z.string(), user_avatar_url: Url }))
    .describe(`Up to ${guestsNamedMax} of the people who come. Empty unless a link makes guests and asks for no PIN.`),
  going_count: Count.describe('How many people come, plus-ones included.'),
  event_places_left: Count.nullable().describe('For how many people there is still room; null: for all.'),
  host: SeenUser,
}

/** A public event as anyone sees it. */
export const OpenedEvent = shape('OpenedEvent', {
  ...openedFields,
  event_join_mode: z.int(),
  event_status: z.int().describe('1 planned, 2 cancelled.'),
})

/** An event as its link shows it to anyone who has it. */
export const OpenedLink = shape('OpenedLink', {
  link_code: z.string().describe('The code at the end of the link, also if it was opened by its short one.'),
  ...openedFields,
  ...kindFields,
  ...photographerField,
  link_pin_required: z.boolean(),
  link_expires_at: Timestamp.nullable(),
})

/** A bearer token for what a link shows. Nobody is behind it: it ends with the link, or when it expires. */
export const LinkView = shape('LinkView', {
  event_id: IdNumber,
  ...kindFields,
  token: z.string(),
  token_expiration: Timestamp.describe('When the token expires: open the link again.'),
})

/** Only joining is locked; the link still shows its event. */
const notShown = {
  noSuchLink,
  cancelled,
  linkExpired: says('The link has expired'),
  linkUsedUp: says('The link has been used up'),
}
const withPin = {
  ...notShown,
  linkLocked: says('The link is locked after too many wrong PINs'),
  wrongPin: says('The PIN is wrong'),
}
export const joiningByLink = {
  ...withPin,
  linkPaused: says('Unusually many people have joined by the link, so it is paused until an organizer opens it again'),
}

const linkMakesNobody = says('This link shows the event without anybody joining it')

export const openLink = route('openLink', 'GET api/event/link/open/{code}', {
  opens: ['link'],
  summary:
    'Returns the event that a link leads to. The code is the link’s, or its short one, which may be typed with or without its dash and in small letters; so few wrong short codes are answered in an hour that nobody finds one by trying.',
  open: true,
  crowd: true,
  perMinute: 300,
  input: z.object({ code: LinkCode }),
  reply: OpenedLink,
  refusals: notShown,
})

export const openEvent = route('openEvent', 'GET api/event/open/{event_id}', {
  summary: 'Returns what a public event shows to people who are not signed in.',
  open: true,
  crowd: true,
  perMinute: 300,
  input: z.object({ event_id: Id }),
  reply: OpenedEvent,
  refusals: { noSuchEvent },
})

export const joinByLink = route('joinByLink', 'POST api/event/link/join/{code}', {
  opens: ['session', 'session that adds photos'],
  summary:
    'Joins an event by link. Without a bearer token, a name is enough: this creates a guest account and signs its device in. With one, the signed-in user joins, and the reply repeats their token. Repeating the Idempotency-Key signs in again instead of creating another account, so the key must be hard to guess: at least 32 characters. With event_answer, it says whether they come.',
  open: 'either',
  crowd: true,
  perMinute: 300,
  idempotent: 'secret',
  input: z.object({
    code: LinkCode,
    pin: maybe(LinkPin),
    user_first_name: maybe(PersonName),
    user_last_name: maybe(PersonName).describe('Last name, if it is given.'),
    device_id: maybe(deviceFields.device_id),
    user_timezone: AnyTimezone,
    user_device_platform: maybe(deviceFields.user_device_platform),
    ...joinFields,
  }),
  reply: AuthenticatedAccount,
  refusals: {
    ...joiningByLink,
    linkMakesNobody,
    eventOver,
    wasRemoved: says('An organizer took the user out of the event, and only an organizer can let them in again'),
  },
})

export const viewByLink = route('viewByLink', 'POST api/event/link/view/{code}', {
  opens: ['session that looks', 'session of a screen'],
  summary: `Opens a link that makes nobody a guest, and returns a token for what it shows. No name, no account; nothing can be changed with it. The same device_id gets the same place again. A link of the kind screen is open on ${screensPerLinkMax} screens at most.`,
  open: true,
  crowd: true,
  perMinute: 300,
  input: z.object({ code: LinkCode, pin: maybe(LinkPin), device_id: maybe(deviceFields.device_id) }),
  reply: LinkView,
  refusals: {
    ...withPin,
    linkMakesGuests: says('This link is for joining the event'),
    tooManyViewers: says('This link is open on as many devices as it can be'),
  },
})
