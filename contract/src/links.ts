import { z } from 'zod'
import { deviceFields, PersonName } from './accounts/account-fields.ts'
import { proveFirst } from './accounts/passwords.ts'
import { AuthenticatedAccount, MinimalUser, SeenUser } from './accounts/user.ts'
import { linkKinds } from './capabilities.ts'
import { linkPinLengthMax, linkPinLengthMin, linkUsesMax, photographerPhotosMax, screensPerLinkMax } from './limits.ts'
import { joinFields } from './plan-fields.ts'
import { type RefusalPage, showWords } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import {
  AnyTimezone,
  Count,
  count,
  Done,
  Flag,
  Id,
  IdNumber,
  Moment,
  matching,
  maybe,
  Page,
  Paging,
  sentence,
  shape,
  Timestamp,
  text,
  Url,
} from './words.ts'

// ---- resources ----

/**
 * `guest`: joins the event. `drop`: adds photos under a name and sees no others. `look`: sees the album without a name
 * or an account. `screen`: shows the photos on the wall of a venue, without a person behind it.
 */
export const LinkKind = z.enum(linkKinds, sentence.selected)
const kind = {
  link_kind: LinkKind.describe('What the link makes of whoever opens it.'),
  link_shows_chat: z.boolean().describe('Whether a link that makes nobody a guest also shows the chat, to read.'),
}

const photographer = {
  link_photographer: z.boolean().describe('Whether it is for the photographer, who may add many photos.'),
}

export const EventLink = shape('EventLink', {
  id: IdNumber,
  event_id: IdNumber,
  link_code: z.string().describe('The code at the end of the link.'),
  /** The link to open. The pictures show it as a QR code and need no bearer token. */
  link_url: Url.describe('The link.'),
  link_qr_svg_url: Url.describe('The link as a QR code (SVG).'),
  link_qr_png_url: Url.describe('The link as a QR code (PNG).'),
  link_expires_at: Timestamp.nullable(),
  link_max_uses: Count.nullable(),
  link_uses: Count.describe('How many people have joined by this link.'),
  link_pin_required: z.boolean(),
  /** Null if there is none, and for links created before PINs were stored. */
  link_pin: z.string().nullable(),
  ...kind,
  ...photographer,
  /** `paused`: far more joined by it than its event can expect. `locked`: too many wrong PINs. */
  link_status: z
    .enum(['open', 'expired', 'used_up', 'paused', 'locked', 'revoked'])
    .describe('Whether the link can still be used to join.'),
  made_by: MinimalUser,
  created_at: Timestamp,
  extra: z
    .strictObject({
      short_code: z
        .string()
        .nullable()
        .describe(
          'A code for typing, such as `LAKE-2106`. Null for links that were mailed, and for some that are closed.',
        ),
      short_url: Url.nullable().describe('The address to type, with this code.'),
    })
    .optional(),
})

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

/** What a link shows of its event to anyone who has it. */
export const OpenedLink = shape('OpenedLink', {
  link_code: z.string().describe('The code at the end of the link, also if it was opened by its short one.'),
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
  host: SeenUser,
  ...kind,
  ...photographer,
  link_pin_required: z.boolean(),
  link_expires_at: Timestamp.nullable(),
})

/** A bearer token for what a link shows. Nobody is behind it: it ends with the link, or when it expires. */
export const LinkView = shape('LinkView', {
  event_id: IdNumber,
  ...kind,
  token: z.string(),
  token_expiration: Timestamp.describe('When the token expires: open the link again.'),
})

// ---- fields ----

/** A code, or a short one however it was typed. */
export const LinkCode = text(64)
/** Digits only, so that a phone's number pad is enough. */
export const LinkPin = matching(/^[0-9]+$/, linkPinLengthMax, linkPinLengthMin)

// ---- refusals ----

const noSuchEvent = notFound('Event not found!')
const noSuchLink = notFound('Link not found!')
const guestAccount = says('Guests make no events and links here')
const notOrganizer = says('The user is not an organizer of the event')
const cancelled = says('The event has been cancelled')
const unlisted = says('Nobody can be let into the event at the moment')
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
/** Of whoever could join. */
export const joiningByLink = {
  ...withPin,
  linkPaused: says('Unusually many people have joined by the link, so it is paused until an organizer opens it again'),
}

const linkMakesNobody = says('This link shows the event without anybody joining it')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchLink: { cause: 'The link does not exist or was revoked.', client: 'Suggest asking for a new link.' },
  linkExpired: { cause: 'The link has expired.', client: 'Suggest asking for a new link.' },
  linkUsedUp: { cause: 'The link has reached its maximum number of uses.', client: 'Suggest asking for a new link.' },
  linkPaused: {
    cause: 'Far more people have joined by the link within a day than its event can expect.',
    client: 'Suggest asking an organizer, who was told and opens it again.',
  },
  linkMakesNobody: {
    cause: 'The link is for looking or for a screen: nobody joins by it.',
    client: 'Open it with POST api/event/link/view/{code}; link_kind says which links are like this.',
  },
  linkMakesGuests: {
    cause: 'Whoever opens the link joins the event or adds photos to it, under a name.',
    client: 'Use POST api/event/link/join/{code}; link_kind says which links are like this.',
  },
  tooManyViewers: {
    cause: 'The link is open on as many devices as it may be at the same time.',
    client: 'Suggest closing it on another screen, or asking an organizer for a second link.',
  },
  noSuchSentAway: {
    cause: 'No such act exists, or it belongs to an event that the viewer cannot see.',
    client: 'Load the list again.',
  },
  tooLateToUndo: {
    cause: 'More than an hour has passed since the people were sent away.',
    client: 'Do not offer it after away_undo_until. A new link lets them in again.',
  },
  linkLocked: {
    cause: 'Too many wrong PINs were entered, so the link no longer lets anyone in.',
    client: 'Suggest asking an organizer for a new link.',
  },
  wrongPin: { cause: 'The PIN is wrong.', client: showWords },
  wasRemoved: {
    cause: 'An organizer removed this person from the event.',
    client: 'Explain that only an organizer can let them in again.',
  },
} satisfies Record<string, RefusalPage>

// ---- operations ----

export const makeLink = route({
  name: 'makeLink',
  summary:
    'Creates a link that admits anyone who has it, regardless of visibility and join mode. Organizers only. Its kind says what it makes of them: a guest (the default), somebody who only adds photos, or nobody, who only looks. It can have an expiry time, a maximum number of uses and a PIN.',
  at: [['POST', 'api/event/link']],
  idempotent: true,
  extra: true,
  input: z.object({
    event_id: Id,
    expires_at: maybe(Moment).describe('When it expires.'),
    max_uses: maybe(count(1, linkUsesMax)).describe('How many people may join by this link.'),
    pin: maybe(LinkPin),
    kind: maybe(LinkKind).describe('What it makes of whoever opens it; a guest if absent.'),
    shows_chat: maybe(Flag).describe('A link of the kinds look and screen also shows the chat, to read.'),
    photographer: maybe(Flag).describe(
      `A link of the kind drop is for the photographer: each who comes by it, or opens it as a guest or organizer, may add ${photographerPhotosMax} photos until it is closed, and is named as the photographer beside them.`,
    ),
  }),
  mistaken: {
    link_scope: 'kind',
    scope: 'kind',
    link_kind: 'kind',
    link_type: 'kind',
    type: 'kind',
    link_role: 'kind',
    role: 'kind',
    link_shows_chat: 'shows_chat',
    link_photographer: 'photographer',
    show_chat: 'shows_chat',
    link_pin: 'pin',
    link_expires_at: 'expires_at',
    link_max_uses: 'max_uses',
    link_uses_max: 'max_uses',
  },
  reply: EventLink,
  refusals: { noSuchEvent, notOrganizer, cancelled, unlisted, guestAccount },
})

export const listLinks = route({
  name: 'listLinks',
  summary: 'Lists the links of an event, newest first. Organizers only.',
  at: [['GET', 'api/event/link/list/{event_id}']],
  extra: true,
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(EventLink),
  refusals: { noSuchEvent, notOrganizer },
})

export const revokeLink = route({
  name: 'revokeLink',
  summary:
    'Revokes a link. People who joined by it stay in the event; whoever only adds photos or looks by it is out at once.',
  at: [['DELETE', 'api/event/link/{link_id}']],
  input: z.object({ link_id: Id }),
  reply: Done,
  refusals: { noSuchLink, notOrganizer },
})

export const revokeLinks = route({
  name: 'revokeLinks',
  summary:
    'Revokes every link of an event at once. People who joined by them stay in the event; whoever only adds photos or looks by them is out at once.',
  at: [['DELETE', 'api/event/links/{event_id}']],
  input: z.object({ event_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notOrganizer, proveFirst },
})

export const reopenLink = route({
  name: 'reopenLink',
  summary:
    'Opens a link again that paused because far more people had joined by it than its event can expect. Any other link stays as it is.',
  at: [['PUT', 'api/event/link/reopen/{link_id}']],
  extra: true,
  input: z.object({ link_id: Id }),
  reply: EventLink,
  refusals: { noSuchLink, notOrganizer },
})

export const sendAwayByLink = route({
  name: 'sendAwayByLink',
  summary:
    'Closes a link and sends away everybody who came by it since a moment; organizers stay. For an hour it can be undone. Repeating it within that hour widens it, and it is undone as one.',
  at: [['POST', 'api/event/link/away/{link_id}']],
  input: z.object({
    link_id: Id,
    since: maybe(Moment).describe('Who came from then on; everybody who came by the link if absent.'),
  }),
  reply: SentAway,
  refusals: { noSuchLink, notOrganizer },
})

export const listSentAway = route({
  name: 'listSentAway',
  summary: 'Lists who was sent away by which link of an event, newest first. Organizers only.',
  at: [['GET', 'api/event/link/away/list/{event_id}']],
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(SentAway),
  refusals: { noSuchEvent, notOrganizer },
})

export const undoSentAway = route({
  name: 'undoSentAway',
  summary:
    'Brings back everybody who was sent away together and is still out because of it, and opens the link again. Any organizer, within an hour.',
  at: [['DELETE', 'api/event/link/away/undo/{away_id}']],
  input: z.object({ away_id: Id.describe('ID of the act that sent people away.') }),
  reply: Done,
  refusals: {
    noSuchSentAway: notFound('Nobody was sent away like this!'),
    notOrganizer,
    tooLateToUndo: says('This can only be undone for an hour'),
  },
})

export const openLink = route({
  name: 'openLink',
  summary:
    'Returns the event that a link leads to. The code is the link’s, or its short one, which may be typed with or without its dash and in small letters; so few wrong short codes are answered in an hour that nobody finds one by trying.',
  at: [['GET', 'api/event/link/open/{code}']],
  open: true,
  crowd: true,
  perMinute: 300,
  input: z.object({ code: LinkCode }),
  reply: OpenedLink,
  refusals: notShown,
})

export const joinByLink = route({
  name: 'joinByLink',
  summary:
    'Joins an event by link. Without a bearer token, a name is enough: this creates a guest account and signs its device in. With one, the signed-in user joins, and the reply repeats their token. Repeating the Idempotency-Key signs in again instead of creating another account, so the key must be hard to guess: at least 32 characters. With event_answer, it says whether they come.',
  at: [['POST', 'api/event/link/join/{code}']],
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
    wasRemoved: says('An organizer took the user out of the event, and only an organizer can let them in again'),
  },
})

export const viewByLink = route({
  name: 'viewByLink',
  summary: `Opens a link that makes nobody a guest, and returns a token for what it shows. No name, no account; nothing can be changed with it. The same device_id gets the same place again. A link of the kind screen is open on ${screensPerLinkMax} screens at most.`,
  at: [['POST', 'api/event/link/view/{code}']],
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
