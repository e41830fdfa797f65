/** The realtime channel: every event that a socket may receive, with its payload. Used by the server, the client and the AsyncAPI document. */
import { z } from 'zod'
import { MinimalUser, SeenUser } from './accounts/user.ts'
import { Message } from './chats/message.ts'
import { GroupChat } from './chats.ts'
import { Comment } from './comments.ts'
import { Event } from './events/event.ts'
import { Guest } from './events/members.ts'
import { Notification } from './notifications.ts'
import { Photo } from './photo.ts'
import { Count, IdNumber, IdString } from './words.ts'

const asking = z.strictObject({ event_id: IdNumber, user: MinimalUser })

/** Resources include `extra` and are presented for their recipient. */
export const channelEvents = {
  'message.created': Message,
  'message.updated': Message,
  /** The tombstone left in the message's place. */
  'message.deleted': Message,
  'message.reacted': Message,
  /**
   * Also sent to the reader, and in events of more than `seensShownMax` people only to them. Sending a message
   * implies having seen everything before it, which is not announced separately.
   */
  'message.seen': z.strictObject({ group_chat_id: IdNumber, seen_sequence: Count, user: SeenUser }),
  typing: z.strictObject({ group_chat_id: IdNumber, user: SeenUser }),
  /** The remaining unread count. Also sent after a message is deleted, or if only some messages were read. */
  'group.updated': GroupChat,
  'photo.created': Photo,
  /** Also sent when its number of comments changes. */
  'photo.updated': Photo,
  'photo.deleted': z.strictObject({ id: IdString, event_id: IdString }),
  'photo.liked': Photo,
  'comment.created': Comment,
  /** Also sent when its number of replies changes. */
  'comment.updated': Comment,
  /** Its replies are deleted with it. */
  'comment.deleted': z.strictObject({ id: IdNumber, event_photo_id: IdNumber, reply_to: IdNumber.nullable() }),
  'comment.reacted': Comment,
  'event.updated': Event,
  'event.cancelled': Event,
  'event.deleted': z.strictObject({ event_id: IdNumber }),
  'join.requested': asking,
  'join.approved': asking,
  'join.rejected': asking,
  /** The request was withdrawn. */
  'join.withdrawn': asking,
  'guest.joined': z.strictObject({ event_id: IdNumber, event_guests_count: Count, guest: Guest }),
  /**
   * A guest became an organizer or vice versa. For the recipient's own role, everything loaded before is stale, because
   * permissions and hidden content change: reload what is shown.
   */
  'guest.updated': z.strictObject({ event_id: IdNumber, guest: Guest }),
  /**
   * Also sent to the person who left, whose media URLs of the event are invalid. If they were removed, so is everybody's;
   * of several removals within seconds the URLs of others become invalid together, and `event.updated` follows.
   */
  'guest.left': z.strictObject({
    event_id: IdNumber,
    event_guests_count: Count,
    user_id: IdNumber,
    removed: z.boolean(),
  }),
  /**
   * To guests from whom the list of guests is hidden, instead of `guest.joined` and `guest.left`. If somebody was removed,
   * media URLs are invalid.
   */
  'guests.counted': z.strictObject({ event_id: IdNumber, event_guests_count: Count, removed: z.boolean() }),
  /** To the organizers and to the person who answered or got a place: what they loaded of the answers is stale. */
  'answer.updated': z.strictObject({ event_id: IdNumber, user_id: IdNumber }),
  /** To screens and organizers: read the wall again. */
  'wall.updated': z.strictObject({ event_id: IdNumber }),
  'notification.created': Notification,
  'notification.read': z.strictObject({ notification_ids: z.array(IdNumber), unread_count: Count }),
} as const

export type ChannelEvents = { [Kind in keyof typeof channelEvents]: z.output<(typeof channelEvents)[Kind]> }
export type ChannelEventKind = keyof ChannelEvents

/** Follows the payload of every event except `typing`. Call `GET api/realtime/sync` with the latest one to get what came after. */
export const ChannelMeta = z.strictObject({ cursor: z.string().nullable() })
export type ChannelMeta = z.output<typeof ChannelMeta>

/**
 * The first event on every socket, named `ready`. The socket delivers everything after this cursor;
 * `GET api/realtime/sync` with this cursor as `until` returns what came before.
 */
export const ChannelReady = z.strictObject({ cursor: z.string() })
export type ChannelReady = z.output<typeof ChannelReady>

/** Why a socket was refused: the `data` of Socket.IO's connect_error. */
export const ChannelRefusal = z.strictObject({ status: z.union([z.literal(401), z.literal(429), z.literal(503)]) })
export type ChannelRefusal = z.output<typeof ChannelRefusal>

export const channelPath = '/realtime'
/** Clients only send acknowledgements, so a longer message is invalid. */
export const channelMessageBytesMax = 4096
export const channelSocketsPerUser = 20
/** A notification that no device acknowledges within this time is also sent as a push. */
export const acknowledgeSeconds = 10
