import { z } from 'zod'
import { languages } from '../languages.ts'
import { notFound, route, says } from '../route.ts'
import {
  Count,
  count,
  Flag,
  Id,
  IdNumber,
  Moment,
  maybe,
  sentence,
  shape,
  TimeOfDay,
  Timestamp,
  text,
} from '../words.ts'

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

export const readNotificationSettings = route('readNotificationSettings', 'GET api/notification/settings', {
  summary: 'Returns the viewer’s notification settings.',
  input: z.object({}),
  reply: NotificationSettings,
  refusals: {},
})

const languageLengthMax = 35
const ringsPerHourMax = 60

export const saveNotificationSettings = route('saveNotificationSettings', 'POST api/notification/settings', {
  summary:
    'Updates the viewer’s notification settings. Omitted fields are switched off, except that rings per hour returns to the default, and the language and the e-mail digest stay unchanged. Notifications held during quiet hours arrive as one when they end.',
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

export const readEventLevel = route('readEventLevel', 'GET api/notification/event/{event_id}', {
  summary: 'Returns the viewer’s notification settings for an event.',
  input: z.object({ event_id: Id }),
  reply: EventNotificationSettings,
  refusals: { noSuchEvent, notInEvent },
})

export const saveEventLevel = route('saveEventLevel', 'POST api/notification/event/{event_id}', {
  summary:
    'Updates the viewer’s notification settings for an event. Without `muted_until`, the event is not muted. Without `photos_at_once`, new photos are announced once an hour; only organizers can choose to be notified immediately.',
  input: z.object({
    event_id: Id,
    level: z.enum(notificationLevels, sentence.selected),
    muted_until: maybe(Moment).describe('Until when nothing of the event rings. Without it, it is not muted.'),
    photos_at_once: maybe(Flag),
  }),
  reply: EventNotificationSettings,
  refusals: { noSuchEvent, notInEvent },
})
