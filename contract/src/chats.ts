import { z } from 'zod'
import { MinimalUser, SeenUser } from './accounts.ts'
import { Card } from './cards.ts'
import { takenDown } from './gallery.ts'
import { messageAttachmentsMax, messageLengthMax, searchLengthMax } from './limits.ts'
import { Photo, VideoState } from './photo.ts'
import { shownPicture } from './pictures.ts'
import { offerNot, type RefusalPage, reload } from './refusal-advice.ts'
import { noRoom, notFound, route, says } from './route.ts'
import {
  Count,
  CountString,
  Done,
  Emoji,
  Id,
  IdNumber,
  IdString,
  Moment,
  maybe,
  OptionalId,
  Page,
  Paging,
  SessionId,
  shape,
  Timestamp,
  text,
  Url,
} from './words.ts'

// ---- resources ----

export const groupChatStatus = { open: 1, readOnly: 2, closed: 3 } as const

/** The maximum number of different emoji on one message. */
export const messageEmojiMax = 100

const replied = {
  id: IdString,
  group_chat_id: IdString,
  message_content: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const RepliedMessage = shape('RepliedMessage', { ...replied, user: MinimalUser })
export const RepliedMessageInChat = shape('RepliedMessageInChat', { ...replied, user: SeenUser })

const reacted = {
  id: IdString,
  message_id: IdString,
  message_reaction_count: CountString.describe('How many people chose it, as a string.'),
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const MessageReaction = shape('MessageReaction', { ...reacted, message_reaction: z.string() })
export const MessageReactionInChat = shape('MessageReactionInChat', reacted)

export const Attachment = shape('MessageAttachment', {
  id: IdNumber,
  message_attachment_url: Url.describe('The picture in full size; of a video its MP4, once that is ready.'),
  message_attachment_added_to_album: z.boolean().describe('Whether the picture or video is in the gallery.'),
  user: MinimalUser,
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      width: z.int().positive(),
      height: z.int().positive(),
      thumbhash: z.string(),
      ...shownPicture,
      preview_url: Url.describe('Preview of at most 640 × 640 px.'),
      video: z.boolean().describe('Whether it is a video.'),
      video_state: VideoState.nullable().describe('State of the video conversion; null for a picture.'),
      message_id: IdNumber,
      may: z.strictObject({ add_to_album: z.boolean(), delete: z.boolean() }),
    })
    .optional(),
})

export const Message = shape('Message', {
  id: IdString,
  group_chat_id: IdString,
  message_content: z.string(),
  user: MinimalUser,
  replied_to: RepliedMessage.nullable(),
  seens: z.array(z.strictObject({ user: SeenUser })),
  reactions: z.array(MessageReaction),
  attachments: z.array(Attachment),
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      sequence: z.int().positive().describe('Position of the message in the chat: 1, 2, 3 … without gaps.'),
      deleted: z.boolean(),
      edited: z.boolean(),
      my_reactions: z.array(z.string()).describe('The viewer’s emoji.'),
      /** Only its author and the organizers see its content; for everyone else it is empty. */
      hidden: z.boolean(),
      /** The viewer blocks its author and is not an organizer: clients should collapse it and not count it as unread. */
      blocked: z.boolean(),
      quote_blocked: z
        .boolean()
        .describe(
          'Whether the viewer blocks the author of the quoted message, so that clients should collapse the quote. Always false for organizers.',
        ),
      may: z.strictObject({ update: z.boolean(), delete: z.boolean(), react: z.boolean(), hide: z.boolean() }),
      card: Card.optional().describe('What hangs on the message, by its kind. Missing on most.'),
    })
    .optional(),
})

export const LatestMessage = shape('LatestMessage', {
  id: IdString,
  group_chat_id: IdString,
  message_content: z.string(),
  seens: z.array(z.strictObject({ user: SeenUser })),
  replied_to: RepliedMessageInChat.nullable(),
  user: MinimalUser,
  reactions: z.array(MessageReactionInChat),
  attachments: z.array(Attachment),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The message that an organizer pinned to the top of its chat. */
export const PinnedMessage = shape('PinnedMessage', {
  message_id: IdNumber,
  message_content: z.string(),
  message_attachments_count: Count.describe('Number of pictures attached to the message.'),
  user: SeenUser,
  /** The viewer blocks its author and is not an organizer: clients should collapse it. */
  blocked: z.boolean(),
  pinned_at: Timestamp.describe('When the message was pinned.'),
})

export const GroupChat = shape('GroupChat', {
  id: IdNumber,
  event_id: IdNumber,
  group_chat_name: z.string().describe('Name of the chat: the name of its event.'),
  group_chat_status: z.int().describe('1 open, 2 read-only, 3 closed.'),
  group_chat_avatar: Url.describe('Picture of the chat: the cover of its event, in the same sizes.'),
  latest_message: LatestMessage.nullable(),
  extra: z
    .strictObject({
      unread_count: Count,
      muted: z.boolean(),
      /** The sequence that the viewer's seen mark has reached; 0 before the first. */
      seen_sequence: Count,
      last_sequence: Count.describe('Position of the newest message.'),
      latest_blocked: z
        .boolean()
        .describe(
          'Whether the viewer blocks the author of the latest message, so that clients should collapse its text. Always false for organizers.',
        ),
      pinned: PinnedMessage.nullable(),
      read_only_from: Timestamp.nullable().describe('When the chat becomes read-only, if an organizer set a time.'),
      may: z.strictObject({
        send: z.boolean(),
        delete_others: z.boolean(),
        pin: z.boolean(),
        end: z.boolean().describe('Whether the viewer may make the chat read-only and open it again.'),
      }),
    })
    .optional(),
})

// ---- refusals ----

const noSuchChat = notFound('Group chat not found!')
const noSuchMessage = notFound('Message not found!')
const noSuchAttachment = notFound('Attachment not found!')
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const notOrganizer = says('The user is not an organizer of the event')
const notOpen = says('The group chat is read-only')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchChat: { cause: 'The group chat does not exist.', client: reload },
  notOpen: {
    cause: 'The group chat is read-only or closed.',
    client: 'Reload the chat, show that it is read-only, and keep what was typed.',
  },
  noSuchMessage: { cause: 'The message does not exist or was deleted.', client: reload },
  mayNotDeleteMessage: { cause: 'The caller is neither the author nor an organizer.', client: offerNot },
  noSuchAttachment: { cause: 'The attachment does not exist or was deleted.', client: reload },
  mayNotDeleteAttachment: {
    cause: 'The caller is neither the author of the message nor an organizer.',
    client: offerNot,
  },
  mayNotAdd: {
    cause:
      'The caller is not in the event, or is neither the sender nor an organizer of an event whose guests may not add other people’s pictures.',
    client: offerNot,
  },
} satisfies Record<string, RefusalPage>

// ---- operations ----

export const listChats = route({
  name: 'listChats',
  documented: true,
  summary: "Lists the chats of the viewer's events, most recently active first.",
  at: [['GET', 'api/message/group/list']],
  extra: true,
  input: z.object(Paging),
  reply: Page(GroupChat),
  refusals: {},
})

export const readChat = route({
  name: 'readChat',
  documented: true,
  summary: 'Returns a group chat.',
  at: [['GET', 'api/message/group/{group_chat_id}']],
  perMinute: 240,
  extra: true,
  input: z.object({ group_chat_id: Id }),
  reply: GroupChat,
  refusals: { noSuchChat, notInEvent },
})

export const listMessages = route({
  name: 'listMessages',
  documented: true,
  summary: 'Lists the messages of a chat, newest first. With message_id, only that message and older ones.',
  at: [['GET', 'api/message/list']],
  perMinute: 240,
  extra: true,
  input: z.object({ group_chat_id: Id, message_id: OptionalId, ...Paging }),
  reply: Page(Message),
  refusals: { notInEvent },
})

export const saveMessage = route({
  name: 'saveMessage',
  words: true,
  documented: true,
  summary: 'Sends a message or, with message_id, edits one.',
  at: [['POST', 'api/message']],
  perMinute: 200,
  idempotent: true,
  extra: true,
  input: z.object({
    group_chat_id: Id,
    message_content: text(messageLengthMax).describe('Text of the message. Required with pictures, too.'),
    message_id: OptionalId,
    message_reply_id: OptionalId,
  }),
  mistaken: {
    reply_id: 'message_reply_id',
    reply_to: 'message_reply_id',
    replied_to: 'message_reply_id',
    message_reply_to: 'message_reply_id',
    event_photo_comment_reply_id: null,
  },
  files: { attachments: { many: messageAttachmentsMax, bytesMax: 'attachmentBytesMax' } },
  reply: Message,
  refusals: { noSuchChat, notInEvent, notOpen, ...noRoom(says) },
})

export const sendVideo = route({
  name: 'sendVideo',
  summary:
    'Sends a message with a video, which is converted like those of the gallery. Until it is ready, its attachment is the poster image.',
  at: [['POST', 'api/message/video']],
  idempotent: true,
  extra: true,
  input: z.object({
    group_chat_id: Id,
    message_content: text(messageLengthMax).describe('Text of the message. Required, as with pictures.'),
    message_reply_id: OptionalId,
    video_session_id: maybe(SessionId).describe('ID of the upload session that received the video.'),
  }),
  files: {
    /** The poster image. */
    image: { required: true, bytesMax: 'attachmentBytesMax' },
    video: { holds: 'video', required: { unless: 'video_session_id' }, bytesMax: 'videoBytesMax' },
  },
  reply: Message,
  refusals: { noSuchChat, notInEvent, notOpen, ...noRoom(says) },
})

export const deleteMessage = route({
  name: 'deleteMessage',
  summary: 'Deletes a message, leaving a tombstone. Author or organizers only.',
  at: [['DELETE', 'api/message/{message_id}']],
  input: z.object({ message_id: Id }),
  reply: Done,
  refusals: {
    noSuchMessage,
    notInEvent,
    mayNotDeleteMessage: says('You do not have permission to delete this message.'),
  },
})

export const hideMessage = route({
  name: 'hideMessage',
  summary:
    'Hides the content of a message from everyone except its author and the organizers. The message keeps its position, and quotes of it are empty. Organizers only.',
  at: [['PUT', 'api/message/hide/{message_id}']],
  extra: true,
  input: z.object({ message_id: Id }),
  reply: Message,
  refusals: { noSuchMessage, notInEvent, notOrganizer },
})

export const unhideMessage = route({
  name: 'unhideMessage',
  summary: 'Makes a hidden message visible to everyone again.',
  at: [['DELETE', 'api/message/hide/{message_id}']],
  extra: true,
  input: z.object({ message_id: Id }),
  reply: Message,
  refusals: { noSuchMessage, notInEvent, notOrganizer },
})

export const pinMessage = route({
  name: 'pinMessage',
  summary:
    'Pins a message to the top of its chat, replacing the previous one, and notifies everyone in the chat. Organizers only. Deleted and hidden messages are unpinned automatically.',
  at: [['PUT', 'api/message/pin/{message_id}']],
  extra: true,
  input: z.object({ message_id: Id }),
  reply: GroupChat,
  refusals: { noSuchMessage, notInEvent, notOrganizer },
})

export const unpinMessage = route({
  name: 'unpinMessage',
  summary: 'Unpins a message. Organizers only.',
  at: [['DELETE', 'api/message/pin/{message_id}']],
  extra: true,
  input: z.object({ message_id: Id }),
  reply: GroupChat,
  refusals: { noSuchMessage, notInEvent, notOrganizer },
})

export const endChat = route({
  name: 'endChat',
  summary:
    'Makes a group chat read-only, now or from a moment to come: what is written stays, and nobody writes any more. Organizers only.',
  at: [['PUT', 'api/message/group/end/{group_chat_id}']],
  extra: true,
  input: z.object({ group_chat_id: Id, from: maybe(Moment).describe('From when. Left out: now.') }),
  reply: GroupChat,
  refusals: { noSuchChat, notInEvent, notOrganizer },
})

export const reopenChat = route({
  name: 'reopenChat',
  summary: 'Opens a read-only group chat again, or cancels that it becomes so. Organizers only.',
  at: [['DELETE', 'api/message/group/end/{group_chat_id}']],
  extra: true,
  input: z.object({ group_chat_id: Id }),
  reply: GroupChat,
  refusals: { noSuchChat, notInEvent, notOrganizer },
})

export const deleteAttachment = route({
  name: 'deleteAttachment',
  summary: 'Removes a picture from a message. Author or organizers only.',
  at: [['DELETE', 'api/message/attachment/{message_attachment_id}']],
  input: z.object({ message_attachment_id: Id }),
  reply: Done,
  refusals: {
    noSuchAttachment,
    notInEvent,
    mayNotDeleteAttachment: says('You do not have permission to delete this attachment.'),
  },
})

export const listReactedUsers = route({
  name: 'listReactedUsers',
  documented: true,
  names: ['listReactedUsersOf'],
  summary: 'Lists the people who reacted to a message, newest first, each person once.',
  at: [
    ['GET', 'api/message/reacted'],
    ['GET', 'api/message/reacted/{message_id}'],
  ],
  input: z.object({ message_id: Id, ...Paging }),
  reply: Page(MinimalUser),
  refusals: { noSuchMessage, notInEvent },
})

export const reactToMessage = route({
  name: 'reactToMessage',
  summary: 'Adds an emoji reaction to a message.',
  at: [['PUT', 'api/message/react/{message_id}']],
  extra: true,
  input: z.object({ message_id: Id, message_reaction: Emoji }),
  reply: Message,
  refusals: { noSuchMessage, notInEvent },
})

export const unreactToMessage = route({
  name: 'unreactToMessage',
  summary: "Removes one of the viewer's emoji from a message or, without message_reaction, all of them.",
  at: [['DELETE', 'api/message/react/{message_id}']],
  extra: true,
  input: z.object({ message_id: Id, message_reaction: maybe(Emoji) }),
  mistaken: { comment_reaction: 'message_reaction', reaction: 'message_reaction', emoji: 'message_reaction' },
  reply: Message,
  refusals: { noSuchMessage, notInEvent },
})

export const markSeen = route({
  name: 'markSeen',
  summary: "Moves the viewer's seen mark forward to a message. It never moves back.",
  at: [['PUT', 'api/message/seen/{message_id}']],
  perMinute: 240,
  input: z.object({ message_id: Id }),
  reply: shape('SeenMark', { group_chat_id: IdNumber, seen_sequence: Count, unread_count: Count }),
  refusals: { noSuchMessage, notInEvent },
})

export const listSeen = route({
  name: 'listSeen',
  summary: 'Lists the people whose seen mark has reached a message.',
  at: [['GET', 'api/message/seen']],
  input: z.object({ message_id: Id, ...Paging }),
  reply: Page(SeenUser),
  refusals: { noSuchMessage, notInEvent },
})

export const countUnread = route({
  name: 'countUnread',
  summary: 'Returns the number of unread messages, in total and for each chat that has any.',
  at: [['GET', 'api/message/unread']],
  input: z.object({}),
  reply: shape('Unread', {
    unread_count: Count,
    group_chats: z
      .array(z.strictObject({ group_chat_id: IdNumber, unread_count: Count }))
      .describe('The chats, each with its unread count.'),
  }),
  refusals: {},
})

const Muted = shape('Muted', { muted: z.boolean() })

export const muteChat = route({
  name: 'muteChat',
  summary: 'Mutes the notifications of a chat.',
  at: [['PUT', 'api/message/group/mute/{group_chat_id}']],
  input: z.object({ group_chat_id: Id }),
  reply: Muted,
  refusals: { noSuchChat, notInEvent },
})

export const unmuteChat = route({
  name: 'unmuteChat',
  summary: 'Unmutes the notifications of a chat.',
  at: [['DELETE', 'api/message/group/mute/{group_chat_id}']],
  input: z.object({ group_chat_id: Id }),
  reply: Muted,
  refusals: { noSuchChat, notInEvent },
})

export const sayTyping = route({
  name: 'sayTyping',
  summary: 'Tells the others in a chat that the viewer is typing. Repeat every few seconds while typing continues.',
  at: [['PUT', 'api/message/typing/{group_chat_id}']],
  perMinute: 30,
  input: z.object({ group_chat_id: Id }),
  reply: Done,
  refusals: { noSuchChat, notInEvent, notOpen },
})

export const searchMessages = route({
  name: 'searchMessages',
  summary: "Searches messages by their words in one chat or in all of the viewer's chats, newest first.",
  at: [['GET', 'api/message/search']],
  extra: true,
  input: z.object({ text: text(searchLengthMax), group_chat_id: OptionalId, ...Paging }),
  reply: Page(Message),
  refusals: { noSuchChat, notInEvent },
})

export const listAttachments = route({
  name: 'listAttachments',
  summary: 'Lists the pictures in a chat, newest first.',
  at: [['GET', 'api/message/attachment/list']],
  extra: true,
  input: z.object({ group_chat_id: Id, ...Paging }),
  reply: Page(Attachment),
  refusals: { noSuchChat, notInEvent },
})

export const addToAlbum = route({
  name: 'addToAlbum',
  documented: true,
  summary: 'Adds a picture from a message to the gallery of its event.',
  at: [['PUT', 'api/message/attachment/add-to-album/{message_attachment_id}']],
  extra: true,
  input: z.object({ message_attachment_id: Id }),
  reply: Photo,
  refusals: {
    noSuchAttachment,
    mayNotAdd: says('You do not have permission to upload this image.'),
    alreadyInAlbum: says('The attachment is in the gallery'),
    takenDown: says(takenDown),
  },
})
