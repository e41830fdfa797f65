import { z } from 'zod'
import { pushServices, reasonCodes } from './reasons.ts'
import { type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route } from './route.ts'
import { Count, Done, Id, IdNumber, Page, Paging, shape, Timestamp } from './words.ts'

/** The kinds of notification: acts by other people. */
export const notificationKinds = [
  'message',
  'mention',
  'message_reply',
  'message_reaction',
  'message_pinned',
  'photo_like',
  'photo_comment',
  'comment_mention',
  'comment_reply',
  'comment_reaction',
  'join_request',
  'join_approved',
  'join_rejected',
  'return_request',
  'let_in_again',
  'invitation',
  'friend_request',
  'event_changed',
  'event_cancelled',
  'event_uncancelled',
  'event_deleted',
  'event_restored',
  'event_unlisted',
  'event_listed',
  'link_paused',
  'owner_offered',
  'owner_changed',
  'owner_made',
  'guest_removed',
  'organizer_unmade',
  'announcement',
  'reminder',
  'answer_wanted',
  'place_given',
  'recap',
  'photos_added',
  'photos_revealed',
  'photos_waiting',
  'photos_wanted',
  'export_ready',
  'report',
  'webhook_off',
  'test',
] as const

export const Notification = shape('Notification', {
  id: IdNumber,
  notification_kind: z.enum(notificationKinds).describe('Type of the notification, such as message or like.'),
  notification_title: z.string().describe('Title of the notification.'),
  notification_body: z.string().describe('Text of the notification.'),
  /** Path of the page in the web client, such as `/events/7/chat`. */
  notification_link: z.string().describe('Where a tap leads, as a path in the web client.'),
  /** How many acts it represents: a burst in one chat is a single notification. */
  notification_count: z.int().positive(),
  event_id: IdNumber.nullable(),
  /** ID of the message, photo, comment or user it is about. */
  subject_id: IdNumber.nullable(),
  read: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** A code and its values. Clients have texts for the codes they know. */
const Reason = z.strictObject({
  code: z.enum(reasonCodes),
  service: z.enum(pushServices).optional(),
  status: z.int().optional(),
  seconds: z.number().optional().describe('Duration in seconds.'),
  tries: z.int().optional().describe('Number of delivery attempts.'),
  rings: z.int().optional(),
  /** The time from which it would ring. */
  at: Timestamp.optional(),
})
const extra = z.strictObject({ reasons: z.array(Reason) }).optional()

export const Trace = shape('NotificationTrace', {
  notification: Notification,
  /** Why it was created or why it never rang, as text; as codes in `extra`. */
  reason: z.string(),
  extra,
  deliveries: z.array(
    z.strictObject({
      device_id: z.string(),
      user_device_platform: z.string(),
      way: z.enum(['channel', 'push', 'none']).describe('Delivery method: over the channel or as a push.'),
      state: z.enum(['waiting', 'held', 'sent', 'acknowledged', 'delivered', 'failed', 'skipped']),
      reason: z.string(),
      extra,
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
  ),
})

const noSuchNotification = notFound('Notification not found!')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchNotification: { cause: 'The user has no such notification.', client: reload },
} satisfies Record<string, RefusalPage>

export const listNotifications = route('listNotifications', 'GET api/notification/list', {
  summary: "Lists the viewer's notifications, newest first.",
  input: z.object(Paging),
  reply: Page(Notification),
  refusals: {},
})

export const countUnreadNotifications = route('countUnreadNotifications', 'GET api/notification/unread', {
  summary: 'Returns the number of unread notifications and when the newest notification was sent.',
  input: z.object({}),
  reply: shape('UnreadNotifications', {
    unread_count: Count,
    /** Of the newest notification, read or unread: a client that has loaded it need not load the list again. */
    newest_at: Timestamp.nullable().describe(
      'When the newest notification, read or unread, was sent or updated; null if there is none.',
    ),
  }),
  refusals: {},
})

export const readNotification = route('readNotification', 'PUT api/notification/read/{notification_id}', {
  summary: 'Marks a notification as read on all devices.',
  input: z.object({ notification_id: Id }),
  reply: Notification,
  refusals: { noSuchNotification },
})

export const readAllNotifications = route('readAllNotifications', 'PUT api/notification/read/all', {
  summary: 'Marks every notification as read on all devices.',
  input: z.object({}),
  reply: Done,
  refusals: {},
})

export const traceNotification = route('traceNotification', 'GET api/notification/trace/{notification_id}', {
  summary: 'Returns, for each device, how and when a notification was delivered, and why.',
  input: z.object({ notification_id: Id }),
  extra: true,
  reply: Trace,
  refusals: { noSuchNotification },
})
