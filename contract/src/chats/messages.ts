import { z } from 'zod'
import { proveFirst } from '../accounts/passwords.ts'
import { GroupChat, noSuchChat, notInEvent, notOpen, notOrganizer } from '../chats.ts'
import { messageAttachmentsMax, messageLengthMax, searchLengthMax } from '../limits.ts'
import { offerNot, type RefusalPage, reload } from '../refusal-advice.ts'
import { noRoom, notFound, route, says } from '../route.ts'
import { Done, Id, maybe, OptionalId, Page, Paging, SessionId, text } from '../words.ts'
import { Message } from './message.ts'

export const noSuchMessage = notFound('Message not found!')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchMessage: { cause: 'The message does not exist or was deleted.', client: reload },
  mayNotDeleteMessage: { cause: 'The caller is neither the author nor an organizer.', client: offerNot },
} satisfies Record<string, RefusalPage>

export const listMessages = route('listMessages', 'GET api/message/list', {
  documented: true,
  summary: 'Lists the messages of a chat, newest first. With message_id, only that message and older ones.',
  perMinute: 240,
  extra: true,
  input: z.object({ group_chat_id: Id, message_id: OptionalId, ...Paging }),
  reply: Page(Message),
  refusals: { notInEvent },
})

export const saveMessage = route('saveMessage', 'POST api/message', {
  words: true,
  documented: true,
  summary: 'Sends a message or, with message_id, edits one.',
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

export const sendVideo = route('sendVideo', 'POST api/message/video', {
  summary:
    'Sends a message with a video, which is converted like those of the gallery. Until it is ready, its attachment is the poster image.',
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

export const deleteMessage = route('deleteMessage', 'DELETE api/message/{message_id}', {
  summary: 'Deletes a message, leaving a tombstone. Author or organizers only.',
  input: z.object({ message_id: Id }),
  reply: Done,
  refusals: {
    proveFirst,
    noSuchMessage,
    notInEvent,
    mayNotDeleteMessage: says('You do not have permission to delete this message.'),
  },
  takes: { back: null, proof: 'ofOthers', tells: 'channel', audits: 'message.deleted' },
})

export const hideMessage = route('hideMessage', 'PUT api/message/hide/{message_id}', {
  summary:
    'Hides the content of a message from everyone except its author and the organizers. The message keeps its position, and quotes of it are empty. Organizers only.',
  extra: true,
  input: z.object({ message_id: Id }),
  reply: Message,
  refusals: { noSuchMessage, notInEvent, notOrganizer },
  takes: { back: 'unhideMessage', tells: 'channel', audits: 'message.hidden' },
})

export const unhideMessage = route('unhideMessage', 'DELETE api/message/hide/{message_id}', {
  summary: 'Makes a hidden message visible to everyone again.',
  extra: true,
  input: z.object({ message_id: Id }),
  reply: Message,
  refusals: { noSuchMessage, notInEvent, notOrganizer },
})

export const pinMessage = route('pinMessage', 'PUT api/message/pin/{message_id}', {
  summary:
    'Pins a message to the top of its chat, replacing the previous one, and notifies everyone in the chat. Organizers only. Deleted and hidden messages are unpinned automatically.',
  extra: true,
  input: z.object({ message_id: Id }),
  reply: GroupChat,
  refusals: { noSuchMessage, notInEvent, notOrganizer },
})

export const unpinMessage = route('unpinMessage', 'DELETE api/message/pin/{message_id}', {
  summary: 'Unpins a message. Organizers only.',
  extra: true,
  input: z.object({ message_id: Id }),
  reply: GroupChat,
  refusals: { noSuchMessage, notInEvent, notOrganizer },
  takes: { back: 'pinMessage', tells: 'channel' },
})

export const searchMessages = route('searchMessages', 'GET api/message/search', {
  summary: "Searches messages by their words in one chat or in all of the viewer's chats, newest first.",
  extra: true,
  input: z.object({ text: text(searchLengthMax), group_chat_id: OptionalId, ...Paging }),
  reply: Page(Message),
  refusals: { noSuchChat, notInEvent },
})
