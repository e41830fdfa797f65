/* Generated from the contract by `npm run documents`. */
import type * as chats from '@afterglow/contract/chats'
import type * as chatsAttachments from '@afterglow/contract/chats/attachments'
import type * as chatsMessages from '@afterglow/contract/chats/messages'
import type * as chatsReactions from '@afterglow/contract/chats/reactions'
import type * as chatsSeenMarks from '@afterglow/contract/chats/seen-marks'
import { operation } from '../operation.ts'

export const addToAlbum = operation<typeof chatsAttachments.addToAlbum>('PUT', 'api/message/attachment/add-to-album/{message_attachment_id}')
export const countUnread = operation<typeof chatsSeenMarks.countUnread>('GET', 'api/message/unread')
export const deleteAttachment = operation<typeof chatsAttachments.deleteAttachment>('DELETE', 'api/message/attachment/{message_attachment_id}')
export const deleteMessage = operation<typeof chatsMessages.deleteMessage>('DELETE', 'api/message/{message_id}')
export const endChat = operation<typeof chats.endChat>('PUT', 'api/message/group/end/{group_chat_id}')
export const hideMessage = operation<typeof chatsMessages.hideMessage>('PUT', 'api/message/hide/{message_id}')
export const listAttachments = operation<typeof chatsAttachments.listAttachments>('GET', 'api/message/attachment/list')
export const listChats = operation<typeof chats.listChats>('GET', 'api/message/group/list')
export const listMessages = operation<typeof chatsMessages.listMessages>('GET', 'api/message/list')
export const listReactedUsers = operation<typeof chatsReactions.listReactedUsers>('GET', 'api/message/reacted')
export const listSeen = operation<typeof chatsSeenMarks.listSeen>('GET', 'api/message/seen')
export const markSeen = operation<typeof chatsSeenMarks.markSeen>('PUT', 'api/message/seen/{message_id}')
export const muteChat = operation<typeof chats.muteChat>('PUT', 'api/message/group/mute/{group_chat_id}')
export const pinMessage = operation<typeof chatsMessages.pinMessage>('PUT', 'api/message/pin/{message_id}')
export const reactToMessage = operation<typeof chatsReactions.reactToMessage>('PUT', 'api/message/react/{message_id}')
export const readChat = operation<typeof chats.readChat>('GET', 'api/message/group/{group_chat_id}')
export const reopenChat = operation<typeof chats.reopenChat>('DELETE', 'api/message/group/end/{group_chat_id}')
export const saveMessage = operation<typeof chatsMessages.saveMessage, { attachments?: Blob[] }>('POST', 'api/message')
export const sayTyping = operation<typeof chats.sayTyping>('PUT', 'api/message/typing/{group_chat_id}')
export const searchMessages = operation<typeof chatsMessages.searchMessages>('GET', 'api/message/search')
export const sendVideo = operation<typeof chatsMessages.sendVideo, { image: Blob; video?: Blob }>('POST', 'api/message/video')
export const unhideMessage = operation<typeof chatsMessages.unhideMessage>('DELETE', 'api/message/hide/{message_id}')
export const unmuteChat = operation<typeof chats.unmuteChat>('DELETE', 'api/message/group/mute/{group_chat_id}')
export const unpinMessage = operation<typeof chatsMessages.unpinMessage>('DELETE', 'api/message/pin/{message_id}')
export const unreactToMessage = operation<typeof chatsReactions.unreactToMessage>('DELETE', 'api/message/react/{message_id}')
