import { z } from 'zod'
import { languages } from './languages.ts'
import { pushServices, reasonCodes } from './reasons.ts'
import { type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import {
  Count,
  count,
  Done,
  Flag,
  Id,
  IdNumber,
  Moment,
  maybe,
  Page,
  Paging,
  sentence,
  shape,
  TimeOfDay,
  Timestamp,
  text,
} from './words.ts'

// ---- resources ----

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
  'event_deleted',
  'event_restored',
  'event_unlisted',
  'event_listed',
  'link_paused',
  'owner_offered',
  'owner_changed',
  'owner_made',
  'announcement',
  'reminder',
  'answer_wanted',
  'place_given',
  'recap',
  'photos_added',
  'photos_revealed',
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

/**
 * How much of an event rings: everything; only what concerns the person (mentions, replies, their photos, reminders,
 * changed plans); or nothing.
 */
export const notificationLevels = ['everything', 'for_me', 'nothing'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

const Clock = z.string().regex(/^\d\d:\d\d$/)

export const NotificationSettings = shape('NotificationSettings', {
  /** Null if not muted for a limited time; `user_setting_mute_notification` mutes permanently. */
  muted_until: Timestamp.nullable(),
  /** Quiet hours in each device's time zone. They may span midnight; equal times mean all day. */
  quiet_from: Clock.nullable(),
  quiet_until: Clock.nullable(),
  /** Maximum rings per hour; further notifications arrive silently. */
  rings_per_hour: Count,
  /** Whether to send a mail, at most once a day, about missed notifications after a day without a visit. */
  mails_digest: z.boolean(),
  /** The language of this device, and the one it last asked for if the service does not support it. */
  language: z.enum(languages),
  language_not_spoken: z
    .string()
    .nullable()
    .describe('The language this device last asked for if the service does not support it; otherwise null.'),
})

export const EventNotificationSettings = shape('EventNotificationSettings', {
  event_id: IdNumber,
  level: z.enum(notificationLevels),
  muted_until: Timestamp.nullable(),
  /** Whether an organizer is notified of new photos within a minute rather than once an hour. */
  photos_at_once: z.boolean(),
})

const noSuchNotification = notFound('Notification not found!')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noPushAddress: {
    cause: 'The device of this session has not registered a push subscription or token.',
    client: 'Register one with `POST api/account/device` first.',
  },
  noSuchNotification: { cause: 'The user has no such notification.', client: reload },
} satisfies Record<string, RefusalPage>

// ---- operations ----

export const listNotifications = route({
  name: 'listNotifications',
  summary: "Lists the viewer's notifications, newest first.",
  at: [['GET', 'api/notification/list']],
  input: z.object(Paging),
  reply: Page(Notification),
  refusals: {},
})

export const countUnreadNotifications = route({
  name: 'countUnreadNotifications',
  summary: 'Returns the number of unread notifications and when the newest notification was sent.',
  at: [['GET', 'api/notification/unread']],
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

export const readNotification = route({
  name: 'readNotification',
  summary: 'Marks a notification as read on all devices.',
  at: [['PUT', 'api/notification/read/{notification_id}']],
  input: z.object({ notification_id: Id }),
  reply: Notification,
  refusals: { noSuchNotification },
})

export const readAllNotifications = route({
  name: 'readAllNotifications',
  summary: 'Marks every notification as read on all devices.',
  at: [['PUT', 'api/notification/read/all']],
  input: z.object({}),
  reply: Done,
  refusals: {},
})

export const traceNotification = route({
  name: 'traceNotification',
  summary: 'Returns, for each device, how and when a notification was delivered, and why.',
  at: [['GET', 'api/notification/trace/{notification_id}']],
  input: z.object({ notification_id: Id }),
  extra: true,
  reply: Trace,
  refusals: { noSuchNotification },
})

export const readNotificationSettings = route({
  name: 'readNotificationSettings',
  summary: 'Returns the viewer’s notification settings.',
  at: [['GET', 'api/notification/settings']],
  input: z.object({}),
  reply: NotificationSettings,
  refusals: {},
})

const languageLengthMax = 35
const ringsPerHourMax = 60

export const saveNotificationSettings = route({
  name: 'saveNotificationSettings',
  summary:
    'Updates the viewer’s notification settings. Omitted fields are switched off, except that rings per hour returns to the default, and the language and the e-mail digest stay unchanged. Notifications held during quiet hours arrive as one when they end.',
  at: [['POST', 'api/notification/settings']],
  input: z
    .object({
      muted_until: maybe(Moment).describe('Until when nothing rings. Without it, nothing is muted.'),
      quiet_from: maybe(TimeOfDay).describe(
        'When quiet hours begin, as HH:MM on the clock of each device. Without it, there are none.',
      ),
      quiet_until: maybe(TimeOfDay).describe('When quiet hours end, as HH:MM. Required with `quiet_from`.'),
      rings_per_hour: maybe(count(0, ringsPerHourMax)),
      mails_digest: maybe(Flag),
      language: maybe(text(languageLengthMax)),
    })
    .refine(asked => (asked.quiet_from === undefined) === (asked.quiet_until === undefined), {
      path: ['quiet_until'],
      error: sentence.required,
    }),
  reply: NotificationSettings,
  refusals: {},
})

const noSuchEvent = notFound('Event not found!')
const notInEvent = says('The user is neither a guest nor an organizer of the event')

export const readEventLevel = route({
  name: 'readEventLevel',
  summary: 'Returns the viewer’s notification settings for an event.',
  at: [['GET', 'api/notification/event/{event_id}']],
  input: z.object({ event_id: Id }),
  reply: EventNotificationSettings,
  refusals: { noSuchEvent, notInEvent },
})

export const saveEventLevel = route({
  name: 'saveEventLevel',
  summary:
    'Updates the viewer’s notification settings for an event. Without `muted_until`, the event is not muted. Without `photos_at_once`, new photos are announced once an hour; only organizers can choose to be notified immediately.',
  at: [['POST', 'api/notification/event/{event_id}']],
  input: z.object({
    event_id: Id,
    level: z.enum(notificationLevels, sentence.selected),
    muted_until: maybe(Moment).describe('Until when nothing of the event rings. Without it, it is not muted.'),
    photos_at_once: maybe(Flag),
  }),
  reply: EventNotificationSettings,
  refusals: { noSuchEvent, notInEvent },
})

/** Web Push subscriptions and app tokens are far shorter; anything longer is invalid. */
const addressLengthMax = 2048

export const registerDevice = route({
  name: 'registerDevice',
  summary:
    'Registers where this device receives pushes: a Web Push subscription or an app’s device token. With neither, the device receives none.',
  at: [['POST', 'api/account/device']],
  perMinute: 30,
  input: z
    .object({
      push_token: maybe(text(addressLengthMax)).describe('Device token from FCM or APNs.'),
      push_endpoint: maybe(text(addressLengthMax)).describe('Endpoint of the Web Push subscription.'),
      push_p256dh: maybe(text(200)).describe('Public key of the Web Push subscription.'),
      push_auth: maybe(text(100)).describe('Authentication secret of the Web Push subscription.'),
    })
    .refine(
      asked => asked.push_endpoint === undefined || (asked.push_p256dh !== undefined && asked.push_auth !== undefined),
      {
        path: ['push_p256dh'],
        error: sentence.required,
      },
    ),
  reply: shape('PushRegistration', { push: z.enum(['web', 'fcm', 'apns', 'none']) }),
  refusals: {},
})

export const testDevice = route({
  name: 'testDevice',
  summary: 'Sends a test push to this device.',
  at: [['POST', 'api/account/device/test']],
  perMinute: 5,
  input: z.object({}),
  reply: Notification,
  refusals: { noPushAddress: says('This device has no push subscription or token') },
})

export const readRealtimeConfig = route({
  name: 'readRealtimeConfig',
  summary: 'Returns how to open the realtime channel and subscribe to pushes.',
  at: [['GET', 'api/realtime/config']],
  open: true,
  crowd: true,
  input: z.object({}),
  reply: shape('RealtimeConfig', {
    channel_path: z.string().describe('Path of the realtime channel at its host.'),
    channel_transports: z.array(z.enum(['websocket'])).describe('Of Socket.IO’s transports: WebSocket only.'),
    vapid_public_key: z.string().describe('Public VAPID key that a browser needs to subscribe.'),
    presence_seconds: z.int().positive().describe('How long a ping keeps the app active, in seconds.'),
    acknowledge_seconds: z
      .int()
      .positive()
      .describe('How long an app has to acknowledge a notification before it is also sent as a push, in seconds.'),
  }),
  refusals: {},
})

/** Cursors are opaque and shorter than this. */
const cursorLengthMax = 200

export const syncRealtime = route({
  name: 'syncRealtime',
  summary:
    'Returns the changes the viewer missed since a cursor, in order, up to now or up to the cursor `until`. Without a cursor, it only returns the current position. A cursor acknowledges the notifications up to it, as the channel would: ask again at once after one, and only while the app is in view.',
  at: [['GET', 'api/realtime/sync']],
  input: z.object({ cursor: maybe(text(cursorLengthMax)), until: maybe(text(cursorLengthMax)) }),
  reply: shape('Sync', {
    cursor: z.string(),
    /**
     * The log does not reach back that far, or the cursor belongs to another history, as after a restore: reload what is
     * shown.
     */
    too_old: z.boolean().describe('Whether the cursor is no longer valid, so that everything must be reloaded.'),
    /** More changes follow: ask again with the new cursor. */
    more: z.boolean().describe('Whether more changes follow this page.'),
    changes: z
      .array(z.strictObject({ kind: z.string(), cursor: z.string(), payload: z.unknown() }))
      .describe('The changes since the cursor, in order.'),
  }),
  refusals: {},
})
