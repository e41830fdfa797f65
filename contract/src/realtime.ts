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
  /**
   * Goes to who has read as well, and in an event of more than `seensShownMax` people only to them. Who sends a message
   * has seen everything before it; that is not told apart.
   */
  'message.seen': z.strictObject({ group_chat_id: IdNumber, seen_sequence: Count, user: SeenUser }),
  typing: z.strictObject({ group_chat_id: IdNumber, user: SeenUser }),
  /** Also after a message was deleted, and after one has read not all: what is left unread. */
  'group.updated': GroupChat,
  'photo.created': Photo,
  /** Also when its comments are more or fewer. */
  'photo.updated': Photo,
  'photo.deleted': z.strictObject({ id: IdString, event_id: IdString }),
  'photo.liked': Photo,
  'comment.created': Comment,
  /** Also when its replies are more or fewer. */
  'comment.updated': Comment,
  /** Its replies go with it. */
  'comment.deleted': z.strictObject({ id: IdNumber, event_photo_id: IdNumber, reply_to: IdNumber.nullable() }),
  'comment.reacted': Comment,
  'event.updated': Event,
  'event.cancelled': Event,
  'event.deleted': z.strictObject({ event_id: IdNumber }),
  'join.requested': asking,
  'join.approved': asking,
  'join.rejected': asking,
  /** They took their request back. */
  'join.withdrawn': asking,
  'guest.joined': z.strictObject({ event_id: IdNumber, event_guests_count: Count, guest: Guest }),
  /**
   * A guest became an organizer, or an organizer a guest. Of oneself it says that what was loaded before is stale:
   * what one may do with it, and what is hidden from guests. Load afresh what is shown.
   */
  'guest.updated': z.strictObject({ event_id: IdNumber, guest: Guest }),
  /** Goes to who left as well. Every media URL of the event that was handed out is dead. */
  'guest.left': z.strictObject({
    event_id: IdNumber,
    event_guests_count: Count,
    user_id: IdNumber,
    removed: z.boolean(),
  }),
  'notification.created': Notification,
  'notification.read': z.strictObject({ notification_ids: z.array(IdNumber), unread_count: Count }),
} as const

export type ChannelEvents = { [Kind in keyof typeof channelEvents]: z.output<(typeof channelEvents)[Kind]> }
export type ChannelEventKind = keyof ChannelEvents

/** Goes with every event, behind its payload. Ask `GET api/realtime/sync` with the last one for what came after; `typing` has none. */
export const ChannelMeta = z.strictObject({ cursor: z.string().nullable() })
export type ChannelMeta = z.output<typeof ChannelMeta>

/**
 * The first event on every socket, named `ready`: what came after this cursor will come over this socket. What came
 * before it, `GET api/realtime/sync` gives as `until`.
 */
export const ChannelReady = z.strictObject({ cursor: z.string() })
export type ChannelReady = z.output<typeof ChannelReady>

/** Why a socket is refused: the `data` of Socket.IO's connect_error. */
export const ChannelRefusal = z.strictObject({ status: z.union([z.literal(401), z.literal(429), z.literal(503)]) })
export type ChannelRefusal = z.output<typeof ChannelRefusal>

export const channelPath = '/realtime'
/** Clients send nothing but acknowledgements, so a longer message is none of theirs. */
export const channelMessageBytesMax = 4096
export const channelSocketsPerUser = 20
/** A notification that no device acknowledges in this time travels as push as well. */
export const acknowledgeSeconds = 10
