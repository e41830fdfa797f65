import { z } from 'zod'
import { MinimalUser, proveFirst } from './accounts.ts'
import {
  emailLengthMax,
  eventDescriptionLengthMax,
  eventLocationLengthMax,
  eventNameLengthMax,
  searchLengthMax,
} from './limits.ts'
import { planExtra, planFields } from './plan-fields.ts'
import { programmeExtra, programmeFields, programmeIsNear } from './programme-fields.ts'
import { offerNot, type RefusalPage, reload } from './refusal-advice.ts'
import { revealExtra, revealFields } from './reveal-fields.ts'
import { noRoom, notFound, route, says } from './route.ts'
import {
  Count,
  choice,
  Done,
  Email,
  Flag,
  Id,
  IdNumber,
  Moment,
  maybe,
  nameText,
  OptionalId,
  Page,
  Paging,
  PlaceTimezone,
  sentence,
  shape,
  Timestamp,
  text,
  Url,
} from './words.ts'

// ---- resources ----

export const visibility = { public: 1, link: 2, private: 3 } as const
export const joinMode = { open: 1, approval: 2, invitation: 3 } as const
export const eventStatus = { planned: 1, cancelled: 2 } as const

/** Whether photos by guests wait until somebody approves them. */
export const PhotoApproval = z.enum(['none', 'wall', 'album'], sentence.selected)

export const EventRole = z.enum(['organizer', 'guest', 'asked', 'invited', 'none'])

export const Event = shape('Event', {
  id: IdNumber,
  event_name: z.string(),
  event_description: z.string().nullable(),
  event_starts_at: Timestamp,
  event_ends_at: Timestamp.nullable(),
  event_timezone: z.string(),
  event_location: z.string().nullable(),
  event_visibility: z.int(),
  event_join_mode: z.int(),
  event_status: z.int().describe('1 planned, 2 cancelled.'),
  event_avatar_url: Url,
  event_guests_count: Count,
  event_role: EventRole,
  group_chat_id: IdNumber,
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      /** Whether guests may add other people's chat pictures to the album. */
      attachments_to_album: z.boolean().describe('May add pictures from other people’s messages to the gallery.'),
      /** Whether guests are offered to pass on the link they joined by. */
      guests_may_share: z.boolean().describe('May pass on the link they joined by.'),
      greetings_on_wall: z.boolean().describe('Whether the live wall shows short messages from the chat.'),
      photo_approval: PhotoApproval.describe(
        'Whether photos by guests are seen at once (none), or wait before the wall or before the album.',
      ),
      owner_id: IdNumber.nullable().describe('User ID of the owner; null for people who are not in the event.'),
      offered_to: IdNumber.nullable().describe(
        'User ID of the person whom the owner has offered the event; null for everybody but these two.',
      ),
      timezone_offset: z
        .string()
        .describe(
          'The venue’s distance from UTC when the event starts, such as `+02:00`, for devices that do not know its time zone.',
        ),
      again_of: IdNumber.nullable().describe('ID of the event that this one repeats; null if it repeats none.'),
      ...planExtra,
      ...programmeExtra,
      ...revealExtra,
      /** Only in the owner's list of deleted events, which can be restored for thirty days. */
      deleted_at: Timestamp.nullable(),
      /** What the viewer may do, so that no client needs a rule of its own. */
      may: z.strictObject({
        ask: z.boolean().describe('May ask to join.'),
        see: z.boolean().describe('Is in it, or came by a link that shows something of it or takes photos.'),
        album: z.boolean().describe('May see the photos of others.'),
        browse: z.boolean().describe('May read the comments and take the album home.'),
        read_chat: z.boolean().describe('May read its chat.'),
        read: z.boolean().describe('May see who is in it, its album and its chat.'),
        chat: z.boolean(),
        upload: z.boolean(),
        invite: z.boolean().describe('May invite others.'),
        manage: z.boolean().describe('May change the event and manage its guests.'),
        announce: z.boolean().describe('May announce something to everybody in it.'),
        moderate: z.boolean().describe('May hide and remove what others added, and read reports.'),
        approve: z.boolean().describe('May decide about photos that wait.'),
        leave: z.boolean().describe('May leave it.'),
        /** To delete, restore and hand it over: the owner's alone. */
        own: z.boolean().describe('Whether the viewer owns the event.'),
      }),
    })
    .optional(),
})

export const Guest = shape('Guest', {
  user: MinimalUser,
  event_role: z.enum(['organizer', 'guest']).describe('Role of this person in the event: organizer or guest.'),
  /** One organizer of every event is its owner. */
  event_owner: z.boolean().describe('Whether this organizer is the owner of the event.'),
  joined_at: Timestamp.describe('When they joined.'),
})

export const Invitation = shape('Invitation', {
  id: IdNumber,
  event: Event,
  invited_by: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The acts recorded in an event's log. */
export const auditActs = [
  'request.approved',
  'request.rejected',
  'user.invited',
  'guest.removed',
  /** `user` let them in again on another device. */
  'guest.let_in',
  'organizer.made',
  'organizer.unmade',
  'owner.offered',
  /** `about` is the new owner; `user` took the offer, or was the owner until their account was suspended or erased. */
  'owner.changed',
  'event.changed',
  'event.cancelled',
  'event.deleted',
  'event.restored',
  'link.made',
  'link.revoked',
  /** Opened again after it had paused. */
  'link.reopened',
  /** Closed, and everybody sent away who had come by it since a moment. */
  'link.sent_away',
  /** That was undone. */
  'link.brought_back',
  'photo.approved',
  'photo.refused',
  'photo.hidden',
  'photo.unhidden',
  'photo.deleted',
  'photos.allowed',
  'guest.allowed',
  'comment.hidden',
  'comment.unhidden',
  'comment.deleted',
  'message.hidden',
  'message.unhidden',
  'message.deleted',
  'attachment.deleted',
  'chat.ended',
  'chat.reopened',
  'report.resolved',
  'webhook.made',
  /** Switched on again, or given a new secret. */
  'webhook.changed',
  'webhook.deleted',
  /** Switched off by the service: its receiver accepts nothing, or `user`, who created it, lost their standing. */
  'webhook.ended',
] as const

export const AuditEntry = shape('AuditEntry', {
  id: IdNumber,
  audit_act: z.enum(auditActs).describe('The organizer’s act.'),
  user: MinimalUser,
  /** The ID of the act's subject: the photo for `photo.hidden`, the user for `guest.removed`. */
  subject_id: IdNumber,
  /** The user affected. */
  about: MinimalUser.nullable(),
  created_at: Timestamp,
})

/** A moment whose year has four digits in UTC too; others cannot be written as a timestamp. */
const When = Moment.refine(moment => {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999
}, sentence.date).meta({ type: 'string', format: 'date-time' })

const JoinRequest = (...statuses: [string, ...string[]]) => z.strictObject({ join_request_status: z.enum(statuses) })

// ---- refusals ----

const noSuchEvent = notFound('Event not found!')
const noSuchUser = notFound('User not found!')
const notOrganizer = says('The user is not an organizer of the event')
const unlisted = says('Nobody can be let into the event at the moment')
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const cancelled = says('The event has been cancelled')
const lastOrganizer = says('The event must keep at least one organizer')
const notOwner = says('The user is not the owner of the event')
const ownerStays = says('The owner of an event hands it over first')

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
  ownerStays: {
    cause: 'The owner of an event neither leaves it nor becomes a guest, while they own it.',
    client: 'Offer to hand the event over.',
  },
  notOffered: {
    cause: 'The owner has not offered the event to this person, or no longer does.',
    client: 'Reload the event: `offered_to` in its `extra` says whether there is an offer.',
  },
  lastOrganizer: {
    cause: 'The action would leave the event without an organizer.',
    client: 'Offer to make someone else an organizer first.',
  },
  organizerStays: {
    cause: 'Organizers cannot be removed from an event.',
    client: 'Offer to make them a guest first.',
  },
  cancelled: { cause: 'The event has been cancelled.', client: 'Reload the event and show that it is cancelled.' },
  alreadyIn: { cause: 'The caller is already in the event.', client: 'Reload the event and open it.' },
  invitationOnly: { cause: 'The event can only be joined by invitation.', client: 'Do not offer to ask.' },
  notAsked: {
    cause: 'This person has no pending join request: they never asked, withdrew it, or were answered.',
    client: reload,
  },
  noSuchInvitation: { cause: 'The invitation does not exist, or was answered or withdrawn.', client: reload },
  unprovenEmail: {
    cause: 'Only users with a verified e-mail address may send invitations by e-mail.',
    client: 'Direct the user to e-mail verification.',
  },
  tooManyStrangers: {
    cause: 'Too many of the people invited within a day are neither friends nor known from an event.',
    client: 'Offer a link instead. None of the people in this request was invited.',
  },
} satisfies Record<string, RefusalPage>

// ---- operations ----

export const saveEvent = route({
  name: 'saveEvent',
  words: true,
  summary:
    'Creates an event with its group chat or, with event_id, updates one. An update that omits the description, location or end clears it; omitted visibility, join mode, time zone, picture and guest permissions stay as they are. By default a new event is public, requires approval to join, and is in its creator’s time zone.',
  at: [['POST', 'api/event']],
  idempotent: true,
  extra: true,
  input: z
    .object({
      event_id: OptionalId,
      event_name: nameText(eventNameLengthMax),
      event_description: maybe(text(eventDescriptionLengthMax)).describe(
        'Description of the event. Without it, there is none.',
      ),
      event_starts_at: When,
      event_ends_at: maybe(When).describe('When the event ends. Without it, the end is open.'),
      event_timezone: maybe(PlaceTimezone).describe(
        'Time zone of the venue. By default that of whoever creates the event.',
      ),
      event_location: maybe(text(eventLocationLengthMax)).describe(
        'Where the event takes place. Without it, none is given.',
      ),
      event_visibility: maybe(choice([1, 2, 3])).describe('1 public, 2 by link, 3 private. By default 1.'),
      event_join_mode: maybe(choice([1, 2, 3])).describe('1 open, 2 with approval, 3 by invitation. By default 2.'),
      event_attachments_to_album: maybe(Flag).describe(
        'Whether guests may add pictures from other people’s messages to the gallery.',
      ),
      event_guests_may_share: maybe(Flag).describe('Whether guests are offered to pass on the link they joined by.'),
      event_greetings_on_wall: maybe(Flag).describe('Whether the live wall shows short messages from the chat.'),
      event_photo_approval: maybe(PhotoApproval).describe(
        'Whether photos by guests are seen at once (none), or wait for an organizer before they are on the wall (wall) or in the album (album). By default none.',
      ),
      ...planFields,
      ...programmeFields,
      ...revealFields,
    })
    .refine(asked => !asked.event_ends_at || asked.event_ends_at > asked.event_starts_at, {
      path: ['event_ends_at'],
      error: 'The :attribute field must be a date after event starts at.',
    })
    .superRefine(programmeIsNear),
  files: { event_avatar: { bytesMax: 'attachmentBytesMax' } },
  reply: Event,
  refusals: {
    noSuchEvent,
    notOrganizer,
    cancelled,
    guestAccount: says('Guests make no events and links here'),
    ...noRoom(says),
  },
})

export const copyEvent = route({
  name: 'copyEvent',
  summary:
    'Holds an event again at another time: with its picture, its settings, and what is planned for it, by the same organizers. The caller owns it; the guests are invited. No photo, message or link comes along.',
  at: [['POST', 'api/event/again/{event_id}']],
  idempotent: true,
  extra: true,
  input: z.object({
    event_id: Id,
    event_starts_at: When.describe('When it starts this time. Everything else that has a time is as much later.'),
    event_name: maybe(nameText(eventNameLengthMax)).describe('What it is called this time. By default as before.'),
    guests_invited: maybe(Flag).describe('Whether everybody who is in the event is invited. By default they are.'),
  }),
  reply: Event,
  refusals: { noSuchEvent, notOrganizer, unlisted, guestAccount: says('Guests make no events and links here') },
})

export const listEvents = route({
  name: 'listEvents',
  summary:
    "Lists the viewer's events, latest start first; the past and hosting filters narrow this list. upcoming: the viewer's events that are not over, earliest start first. public: all public events that are neither over nor cancelled, earliest end first. deleted: what the viewer owned and deleted, and can still restore. An event without an end is over a day after its start.",
  at: [['GET', 'api/event/list']],
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

export const readEvent = route({
  name: 'readEvent',
  summary: 'Returns an event.',
  at: [['GET', 'api/event/details/{event_id}']],
  perMinute: 240,
  extra: true,
  input: z.object({ event_id: Id }),
  reply: Event,
  refusals: { noSuchEvent },
})

export const cancelEvent = route({
  name: 'cancelEvent',
  summary: 'Cancels an event. Its chat and gallery remain readable. Cancelling again has no effect.',
  at: [['PUT', 'api/event/cancel/{event_id}']],
  extra: true,
  input: z.object({ event_id: Id }),
  reply: Event,
  refusals: { noSuchEvent, notOrganizer },
})

export const deleteEvent = route({
  name: 'deleteEvent',
  summary:
    'Deletes an event with its chat and gallery for everyone; everybody in it is told. The owner can restore it for thirty days. Until then, what people uploaded stays in their own exports and downloads; then everything is erased.',
  at: [['DELETE', 'api/event/{event_id}']],
  input: z.object({ event_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notOrganizer, notOwner, proveFirst },
})

export const restoreEvent = route({
  name: 'restoreEvent',
  summary:
    'Restores an event that its owner deleted within the last thirty days, with everything in it. Restoring it again has no effect.',
  at: [['PUT', 'api/event/restore/{event_id}']],
  extra: true,
  input: z.object({ event_id: Id }),
  reply: Event,
  refusals: { noSuchEvent, notOrganizer, notOwner },
})

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
})

export const invite = route({
  name: 'invite',
  summary:
    'Invites people, and admits those who had already asked to join. Users the caller may not find are treated as nonexistent. People who are already in the event, already invited or blocked by the caller are skipped; invited_count counts the others. People who are neither friends of the caller nor have ever shared an event with the caller are limited to 20 invitations a day. Each address in user_emails receives an e-mail with its own single-use link, valid for 30 days, whether or not it has an account. Sending these requires a verified e-mail address and is limited further on an account’s first day.',
  at: [['POST', 'api/event/invite']],
  idempotent: true,
  input: z
    .object({
      event_id: Id,
      user_ids: maybe(
        z.array(Id, sentence.array).min(1, sentence.required).max(100, sentence.countAtMost(100)),
      ).describe('User IDs.'),
      user_emails: maybe(
        z.array(Email(emailLengthMax), sentence.array).min(1, sentence.required).max(20, sentence.countAtMost(20)),
      ),
    })
    .refine(asked => asked.user_ids !== undefined || asked.user_emails !== undefined, {
      path: ['user_ids'],
      error: sentence.required,
    }),
  reply: shape('Invited', { invited_count: Count }),
  refusals: {
    noSuchEvent,
    notOrganizer,
    cancelled,
    unlisted,
    tooManyStrangers: says(
      'Too many of these people are neither friends nor known from an event, so nobody was invited. Share a link instead, or go on tomorrow.',
    ),
    unprovenEmail: says('Please confirm your e-mail address before you invite by mail.'),
  },
})

export const listInvitations = route({
  name: 'listInvitations',
  summary: "Lists the viewer's pending invitations, newest first.",
  at: [['GET', 'api/event/invites']],
  extra: true,
  input: z.object(Paging),
  reply: Page(Invitation),
  refusals: {},
})

const noSuchInvitation = notFound('Invitation not found!')

export const acceptInvitation = route({
  name: 'acceptInvitation',
  summary: 'Accepts an invitation and makes the viewer a guest. Accepting again has no effect.',
  at: [['PUT', 'api/event/invite/accept/{invitation_id}']],
  extra: true,
  input: z.object({ invitation_id: Id }),
  reply: Event,
  refusals: { noSuchInvitation, cancelled },
})

export const declineInvitation = route({
  name: 'declineInvitation',
  summary: 'Declines an invitation. Declining again has no effect.',
  at: [['PUT', 'api/event/invite/decline/{invitation_id}']],
  input: z.object({ invitation_id: Id }),
  reply: Done,
  refusals: { noSuchInvitation },
})

export const listGuests = route({
  name: 'listGuests',
  summary:
    'Lists the people in an event: organizers first, then guests in the order they joined. With name, only those for whom each word of it begins a part of their name.',
  at: [['GET', 'api/event/guests/{event_id}']],
  input: z.object({
    event_id: Id,
    name: maybe(text(searchLengthMax)).describe('Only guests whose name or username contains this.'),
    ...Paging,
  }),
  reply: Page(Guest),
  refusals: { noSuchEvent, notInEvent },
})

export const removeGuest = route({
  name: 'removeGuest',
  summary: 'Removes a guest and invalidates every media link of the event, also those given to others.',
  at: [['DELETE', 'api/event/guest/{event_id}/{user_id}']],
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notOrganizer, noSuchUser, organizerStays: says('An organizer cannot be removed') },
})

export const leaveEvent = route({
  name: 'leaveEvent',
  summary: 'Leaves an event and invalidates every media link given to the viewer. The owner hands it over first.',
  at: [['DELETE', 'api/event/leave/{event_id}']],
  input: z.object({ event_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notInEvent, lastOrganizer, ownerStays },
})

export const makeOrganizer = route({
  name: 'makeOrganizer',
  summary: 'Makes a guest an organizer.',
  at: [['PUT', 'api/event/organizer/{event_id}/{user_id}']],
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Guest,
  refusals: { noSuchEvent, notOrganizer, proveFirst, noSuchUser },
})

export const unmakeOrganizer = route({
  name: 'unmakeOrganizer',
  summary: 'Makes an organizer a guest again. Nobody does that to the owner.',
  at: [['DELETE', 'api/event/organizer/{event_id}/{user_id}']],
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Guest,
  refusals: { noSuchEvent, notOrganizer, proveFirst, noSuchUser, lastOrganizer, ownerStays },
})

export const handOver = route({
  name: 'handOver',
  summary:
    'Hands an event over, in two steps. The owner names somebody in the event and so offers it to them; that person calls the same operation with their own ID and is the owner from then on. The former owner stays as an organizer. A new offer replaces the one before. Repeating either step has no effect.',
  at: [['PUT', 'api/event/owner/{event_id}/{user_id}']],
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Guest,
  refusals: {
    noSuchEvent,
    notInEvent,
    notOrganizer,
    notOwner,
    proveFirst,
    noSuchUser,
    notOffered: says('The event has not been offered to the user'),
  },
})

export const endOffer = route({
  name: 'endOffer',
  summary: 'Ends an offer of an event: the owner takes it back, or the person it was made to declines it.',
  at: [['DELETE', 'api/event/owner/{event_id}/{user_id}']],
  input: z.object({ event_id: Id, user_id: Id }),
  reply: Done,
  refusals: { noSuchEvent, notInEvent, notOrganizer, notOwner },
})

export const listAudit = route({
  name: 'listAudit',
  summary: 'Lists the acts of the organizers, newest first. Organizers only. Entries are never removed.',
  at: [['GET', 'api/event/audit/{event_id}']],
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(AuditEntry),
  refusals: { noSuchEvent, notOrganizer },
})
