import type * as contract from '@afterglow/contract/chats'
import type * as attachments from '@afterglow/contract/chats/attachments'
import type * as messages from '@afterglow/contract/chats/messages'
import type * as reactions from '@afterglow/contract/chats/reactions'
import type * as seenMarks from '@afterglow/contract/chats/seen-marks'
import { operation } from './operation.ts'

/**
 * Lists the chats of the viewer's events, most recently active first.
 *
 * `GET api/message/group/list`, at most 120 times a minute. Has `extra`.
 */
export const listChats = operation<typeof contract.listChats>('GET', 'api/message/group/list')
/**
 * Returns a group chat.
 *
 * `GET api/message/group/{group_chat_id}`, at most 240 times a minute. Has `extra`.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const readChat = operation<typeof contract.readChat>('GET', 'api/message/group/{group_chat_id}')
/**
 * Lists the messages of a chat, newest first. With message_id, only that message and older ones.
 *
 * `GET api/message/list`, at most 240 times a minute. Has `extra`.
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listMessages = operation<typeof messages.listMessages>('GET', 'api/message/list')
/**
 * Sends a message or, with message_id, edits one.
 *
 * `POST api/message`, at most 200 times a minute. Takes an `idempotencyKey`. Has `extra`.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOpen: The group chat is read-only
 * @throws personFull: You have used all the space that you have for files.
 * @throws instanceFull: This server has no more space for files.
 */
export const saveMessage = operation<typeof messages.saveMessage, { attachments?: Blob[] }>('POST', 'api/message')
/**
 * Sends a message with a video, which is converted like those of the gallery. Until it is ready, its attachment is
 * the poster image.
 *
 * `POST api/message/video`, at most 120 times a minute. Takes an `idempotencyKey`. Has `extra`.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOpen: The group chat is read-only
 * @throws personFull: You have used all the space that you have for files.
 * @throws instanceFull: This server has no more space for files.
 */
export const sendVideo = operation<typeof messages.sendVideo, { image: Blob; video?: Blob }>(
  'POST',
  'api/message/video',
)
/**
 * Deletes a message, leaving a tombstone. Author or organizers only.
 *
 * `DELETE api/message/{message_id}`, at most 120 times a minute.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws mayNotDeleteMessage: You do not have permission to delete this message.
 */
export const deleteMessage = operation<typeof messages.deleteMessage>('DELETE', 'api/message/{message_id}')
/**
 * Hides the content of a message from everyone except its author and the organizers. The message keeps its position,
 * and quotes of it are empty. Organizers only.
 *
 * `PUT api/message/hide/{message_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const hideMessage = operation<typeof messages.hideMessage>('PUT', 'api/message/hide/{message_id}')
/**
 * Makes a hidden message visible to everyone again.
 *
 * `DELETE api/message/hide/{message_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const unhideMessage = operation<typeof messages.unhideMessage>('DELETE', 'api/message/hide/{message_id}')
/**
 * Pins a message to the top of its chat, replacing the previous one, and notifies everyone in the chat. Organizers
 * only. Deleted and hidden messages are unpinned automatically.
 *
 * `PUT api/message/pin/{message_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const pinMessage = operation<typeof messages.pinMessage>('PUT', 'api/message/pin/{message_id}')
/**
 * Unpins a message. Organizers only.
 *
 * `DELETE api/message/pin/{message_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const unpinMessage = operation<typeof messages.unpinMessage>('DELETE', 'api/message/pin/{message_id}')
/**
 * Makes a group chat read-only, now or from a moment to come: what is written stays, and nobody writes any more.
 * Organizers only.
 *
 * `PUT api/message/group/end/{group_chat_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const endChat = operation<typeof contract.endChat>('PUT', 'api/message/group/end/{group_chat_id}')
/**
 * Opens a read-only group chat again, or cancels that it becomes so. Organizers only.
 *
 * `DELETE api/message/group/end/{group_chat_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const reopenChat = operation<typeof contract.reopenChat>('DELETE', 'api/message/group/end/{group_chat_id}')
/**
 * Removes a picture from a message. Author or organizers only.
 *
 * `DELETE api/message/attachment/{message_attachment_id}`, at most 120 times a minute.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws noSuchAttachment: Attachment not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws mayNotDeleteAttachment: You do not have permission to delete this attachment.
 */
export const deleteAttachment = operation<typeof attachments.deleteAttachment>(
  'DELETE',
  'api/message/attachment/{message_attachment_id}',
)
/**
 * Lists the people who reacted to a message, newest first, each person once.
 *
 * `GET api/message/reacted`, at most 120 times a minute.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listReactedUsers = operation<typeof reactions.listReactedUsers>('GET', 'api/message/reacted')
/**
 * Adds an emoji reaction to a message.
 *
 * `PUT api/message/react/{message_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const reactToMessage = operation<typeof reactions.reactToMessage>('PUT', 'api/message/react/{message_id}')
/**
 * Removes one of the viewer's emoji from a message or, without message_reaction, all of them.
 *
 * `DELETE api/message/react/{message_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const unreactToMessage = operation<typeof reactions.unreactToMessage>('DELETE', 'api/message/react/{message_id}')
/**
 * Moves the viewer's seen mark forward to a message. It never moves back.
 *
 * `PUT api/message/seen/{message_id}`, at most 240 times a minute.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const markSeen = operation<typeof seenMarks.markSeen>('PUT', 'api/message/seen/{message_id}')
/**
 * Lists the people whose seen mark has reached a message.
 *
 * `GET api/message/seen`, at most 120 times a minute.
 * @throws noSuchMessage: Message not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listSeen = operation<typeof seenMarks.listSeen>('GET', 'api/message/seen')
/**
 * Returns the number of unread messages, in total and for each chat that has any.
 *
 * `GET api/message/unread`, at most 120 times a minute.
 */
export const countUnread = operation<typeof seenMarks.countUnread>('GET', 'api/message/unread')
/**
 * Mutes the notifications of a chat.
 *
 * `PUT api/message/group/mute/{group_chat_id}`, at most 120 times a minute.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const muteChat = operation<typeof contract.muteChat>('PUT', 'api/message/group/mute/{group_chat_id}')
/**
 * Unmutes the notifications of a chat.
 *
 * `DELETE api/message/group/mute/{group_chat_id}`, at most 120 times a minute.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const unmuteChat = operation<typeof contract.unmuteChat>('DELETE', 'api/message/group/mute/{group_chat_id}')
/**
 * Tells the others in a chat that the viewer is typing. Repeat every few seconds while typing continues.
 *
 * `PUT api/message/typing/{group_chat_id}`, at most 30 times a minute.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOpen: The group chat is read-only
 */
export const sayTyping = operation<typeof contract.sayTyping>('PUT', 'api/message/typing/{group_chat_id}')
/**
 * Searches messages by their words in one chat or in all of the viewer's chats, newest first.
 *
 * `GET api/message/search`, at most 120 times a minute. Has `extra`.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const searchMessages = operation<typeof messages.searchMessages>('GET', 'api/message/search')
/**
 * Lists the pictures in a chat, newest first.
 *
 * `GET api/message/attachment/list`, at most 120 times a minute. Has `extra`.
 * @throws noSuchChat: Group chat not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listAttachments = operation<typeof attachments.listAttachments>('GET', 'api/message/attachment/list')
/**
 * Adds a picture from a message to the gallery of its event.
 *
 * `PUT api/message/attachment/add-to-album/{message_attachment_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchAttachment: Attachment not found!
 * @throws mayNotAdd: You do not have permission to upload this image.
 * @throws alreadyInAlbum: The attachment is in the gallery
 * @throws takenDown: The organizers chose to leave this picture out of the album.
 */
export const addToAlbum = operation<typeof attachments.addToAlbum>(
  'PUT',
  'api/message/attachment/add-to-album/{message_attachment_id}',
)
