import { z } from 'zod'
import { proveFirst } from './accounts/passwords.ts'
import { MinimalUser } from './accounts/user.ts'
import { cancelled, guestAccount, noSuchEvent, notOrganizer, unlisted } from './events.ts'
import { linkUsesMax, photographerPhotosMax } from './limits.ts'
import { kindFields, LinkKind, LinkPin, photographerField } from './links/link-fields.ts'
import { type RefusalPage, showWords } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { Count, count, Done, Flag, Id, IdNumber, Moment, maybe, Page, Paging, shape, Timestamp, Url } from './words.ts'

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
  ...kindFields,
  ...photographerField,
  link_photos_wait: z.boolean().describe('Whether photos by it wait to be approved, if the event has them wait.'),
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

export const noSuchLink = notFound('Link not found!')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchLink: { cause: 'The link does not exist or was revoked.', client: 'Suggest asking for a new link.' },
  linkExpired: { cause: 'The link has expired.', client: 'Suggest asking for a new link.' },
  tooLateToReopen: {
    cause: 'The link was revoked more than thirty days ago.',
    client: 'Offer to make a new link.',
  },
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
    cause: 'The link makes people guests, or lets them add photos, under a name.',
    client: 'Use POST api/event/link/join/{code}; link_kind says which links are like this.',
  },
  tooManyViewers: {
    cause: 'The link is open on as many devices as it may be at the same time.',
    client: 'Suggest closing it on another screen, or asking an organizer for a second link.',
  },
  noSuchScreen: {
    cause: 'The screen shows nothing any more, or belongs to an event that the viewer cannot see.',
    client: 'Load the list again.',
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

export const makeLink = route('makeLink', 'POST api/event/link', {
  opens: ['link'],
  summary:
    'Creates a link that admits anyone who has it, regardless of visibility and join mode. Organizers only. Its kind says what it makes of them: a guest (the default), somebody who only adds photos, or nobody, who only looks. It can have an expiry time, a maximum number of uses and a PIN.',
  idempotent: true,
  extra: true,
  input: z.object({
    event_id: Id,
    expires_at: maybe(Moment).describe('When it expires.'),
    max_uses: maybe(count(1, linkUsesMax)).describe('How many people may join by this link.'),
    pin: maybe(LinkPin),
    kind: maybe(LinkKind).describe('What it makes of a person who opens it; a guest if absent.'),
    shows_chat: maybe(Flag).describe('A link of the kinds look and screen also shows the chat, to read.'),
    photographer: maybe(Flag).describe(
      `A link of the kind drop is for the photographer: each who comes by it, or opens it as a guest or organizer, may add ${photographerPhotosMax} photos until it is closed, and is named as the photographer beside them.`,
    ),
    photos_wait: maybe(Flag).describe(
      'Photos by a photographer’s link wait to be approved like others; by default they do not.',
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
    link_photos_wait: 'photos_wait',
    show_chat: 'shows_chat',
    link_pin: 'pin',
    link_expires_at: 'expires_at',
    link_max_uses: 'max_uses',
    link_uses_max: 'max_uses',
  },
  reply: EventLink,
  refusals: { noSuchEvent, notOrganizer, cancelled, unlisted, guestAccount },
})

export const listLinks = route('listLinks', 'GET api/event/link/list/{event_id}', {
  opens: ['link'],
  summary: 'Lists the links of an event, newest first. Organizers only.',
  extra: true,
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(EventLink),
  refusals: { noSuchEvent, notOrganizer },
})

export const revokeLink = route('revokeLink', 'DELETE api/event/link/{link_id}', {
  summary:
    'Revokes a link. People who joined by it stay in the event; those who only add photos or look by it are out at once.',
  input: z.object({ link_id: Id }),
  reply: Done,
  refusals: { noSuchLink, notOrganizer },
  takes: { back: 'reopenLink', backHours: 30 * 24, tells: 'nextVisit', audits: 'link.revoked' },
})

export const revokeLinks = route('revokeLinks', 'DELETE api/event/links/{event_id}', {
  summary:
    'Revokes every link of an event at once. People who joined by them stay in the event; those who only add photos or look by them are out at once.',
  input: z.object({ event_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notOrganizer, proveFirst },
  takes: { back: 'reopenLink', backHours: 30 * 24, proof: 'always', tells: 'nextVisit', audits: 'link.revoked' },
})

export const reopenLink = route('reopenLink', 'PUT api/event/link/reopen/{link_id}', {
  opens: ['link'],
  summary:
    'Opens a link again that was revoked within the last thirty days, or that paused because far more people had joined by it than its event can expect. Any other link stays as it is. Those who only added photos or looked by it open it anew.',
  extra: true,
  input: z.object({ link_id: Id }),
  reply: EventLink,
  refusals: { noSuchLink, notOrganizer, tooLateToReopen: says('This link was closed more than thirty days ago') },
})
