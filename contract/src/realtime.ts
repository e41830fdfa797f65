/** The channel: every event that a socket may receive, with its payload. Shared by server, client and the AsyncAPI document. */
import { z } from 'zod'
import { MinimalUser, SeenUser } from './accounts.ts'
import { GroupChat, Message } from './chats.ts'
import { Event, Guest } from './events.ts'
import { Comment, Photo } from './gallery.ts'
import { Notification } from './notifications.ts'
import { Count, IdNumber, IdString } from './words.ts'

const asking = z.strictObject({ event_id: IdNumber, user: MinimalUser })

/** Resources come with `extra`, made for who receives them. */
export const channelEvents = {
  'message.created': Message,
  'message.updated': Message,
  /** The tombstone that stays in the message's place. */
  'message.deleted': Message,
  'message.reacted': Message,
  'message.seen': z.strictObject({ group_chat_id: IdNumber, seen_sequence: Count, user: SeenUser }),
  typing: z.strictObject({ group_chat_id: IdNumber, user: SeenUser }),
  'group.updated': GroupChat,
  'photo.created': Photo,
  'photo.updated': Photo,
  'photo.deleted': z.strictObject({ id: IdString, event_id: IdString }),
  'photo.liked': Photo,
  'comment.created': Comment,
  'comment.updated': Comment,
  'comment.deleted': z.strictObject({ id: IdNumber, event_photo_id: IdNumber, reply_to: IdNumber.nullable() }),
  'comment.reacted': Comment,
  'event.updated': Event,
  'event.cancelled': Event,
  'join.requested': asking,
  'join.approved': asking,
  'join.rejected': asking,
  'guest.joined': z.strictObject({ event_id: IdNumber, guest: Guest }),
  'guest.left': z.strictObject({ event_id: IdNumber, user_id: IdNumber, removed: z.boolean() }),
  'notification.created': Notification,
  'notification.read': z.strictObject({ notification_ids: z.array(IdNumber), unread_count: Count }),
} as const

export type ChannelEvents = { [Kind in keyof typeof channelEvents]: z.output<(typeof channelEvents)[Kind]> }
export type ChannelEventKind = keyof ChannelEvents

/** Goes with every event that the database keeps; `typing` has none. Catch up with it by `GET api/realtime/sync`. */
export type ChannelMeta = { cursor: string | null }

export const channelPath = '/realtime'
/** A notification that no device acknowledges in this time travels as push as well. */
export const acknowledgeSeconds = 10
