/** The payload of a push on each platform, as the app receives it. Clients ignore unknown fields. */
import { z } from 'zod'
import { notificationKinds } from './notifications.ts'
import { shape } from './words.ts'

const told = {
  id: z.string().describe('Of the notification; two pushes of one id are one.'),
  kind: z.enum(notificationKinds),
  link: z.string().describe('Path of the client’s page that a tap opens.'),
  tag: z.string().describe('A later push of the same tag replaces what is shown.'),
}
const words = { title: z.string(), body: z.string() }

export const pushes = {
  /** The decrypted body of a Web Push. */
  web: shape('WebPush', {
    ...told,
    ...words,
    unread: z.int().nonnegative().optional().describe('How many notifications are unread.'),
    silent: z.literal(true).optional().describe('It is shown without a sound.'),
    read: z
      .array(z.string())
      .optional()
      .describe('Ids of what was read elsewhere or taken back: what is still shown of it goes away.'),
    images: z
      .array(z.string())
      .optional()
      .describe('Paths of at most three pictures of the service. They end within hours.'),
  }),
  /** The message sent to FCM, without the token. FCM requires the values of `data` to be strings. */
  android: shape('AndroidPush', {
    notification: z.strictObject({ ...words, image: z.string().optional() }),
    data: z.strictObject({
      ...told,
      unread: z.string().optional(),
      read: z.string().optional().describe('The ids with spaces between.'),
      images: z
        .string()
        .optional()
        .describe('Addresses of at most three pictures with spaces between. They end within hours.'),
    }),
    android: z.strictObject({
      priority: z.enum(['NORMAL', 'HIGH']),
      ttl: z.string(),
      collapse_key: z.string().optional(),
      notification: z.strictObject({
        channel_id: z.string(),
        notification_priority: z.literal('PRIORITY_LOW').optional(),
        default_sound: z.literal(false).optional(),
        default_vibrate_timings: z.literal(false).optional(),
        tag: z.string().optional(),
        notification_count: z.int().nonnegative().optional(),
      }),
    }),
  }),
  /** The payload sent to APNs. */
  ios: shape('ApplePush', {
    aps: z.strictObject({
      alert: z.strictObject(words),
      sound: z.literal('default').optional(),
      'interruption-level': z.literal('passive').optional(),
      badge: z.int().nonnegative().optional(),
      'thread-id': z.string().optional(),
      'mutable-content': z.literal(1).optional().describe('There are pictures to attach.'),
    }),
    ...told,
    read: z.array(z.string()).optional(),
    images: z.array(z.string()).optional().describe('Addresses of at most three pictures. They end within hours.'),
  }),
} as const

/** A silent push, sent when a notification that was pushed has been read elsewhere or withdrawn. */
export const clearings = {
  android: shape('AndroidClearing', {
    data: z.strictObject({
      unread: z.string().describe('How many notifications are unread.'),
      read: z.string().describe('Ids of what goes away, with spaces between.'),
    }),
    android: z.strictObject({ priority: z.literal('NORMAL'), ttl: z.string(), collapse_key: z.literal('read') }),
  }),
  ios: shape('AppleClearing', {
    aps: z.strictObject({ badge: z.int().nonnegative(), 'content-available': z.literal(1) }),
    read: z.array(z.string()).describe('Ids of what goes away.'),
  }),
} as const

export type ClearedPlatform = keyof typeof clearings
export type PushPlatform = keyof typeof pushes
