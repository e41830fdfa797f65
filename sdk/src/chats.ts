import type * as contract from '@afterglow/contract/chats'
import { operation } from './operation.ts'

export const listChats = operation<typeof contract.listChats>('GET', 'api/message/group/list')
export const readChat = operation<typeof contract.readChat>('GET', 'api/message/group/{group_chat_id}')
export const listMessages = operation<typeof contract.listMessages>('GET', 'api/message/list')
export const saveMessage = operation<typeof contract.saveMessage, { attachments?: Blob[] }>('POST', 'api/message')
export const deleteMessage = operation<typeof contract.deleteMessage>('DELETE', 'api/message/{message_id}')
export const hideMessage = operation<typeof contract.hideMessage>('PUT', 'api/message/hide/{message_id}')
export const unhideMessage = operation<typeof contract.unhideMessage>('DELETE', 'api/message/hide/{message_id}')
export const pinMessage = operation<typeof contract.pinMessage>('PUT', 'api/message/pin/{message_id}')
export const unpinMessage = operation<typeof contract.unpinMessage>('DELETE', 'api/message/pin/{message_id}')
export const deleteAttachment = operation<typeof contract.deleteAttachment>(
  'DELETE',
  'api/message/attachment/{message_attachment_id}',
)
export const listReactedUsers = operation<typeof contract.listReactedUsers>('GET', 'api/message/reacted')
export const reactToMessage = operation<typeof contract.reactToMessage>('PUT', 'api/message/react/{message_id}')
export const unreactToMessage = operation<typeof contract.unreactToMessage>('DELETE', 'api/message/react/{message_id}')
export const markSeen = operation<typeof contract.markSeen>('PUT', 'api/message/seen/{message_id}')
export const listSeen = operation<typeof contract.listSeen>('GET', 'api/message/seen')
export const countUnread = operation<typeof contract.countUnread>('GET', 'api/message/unread')
export const muteChat = operation<typeof contract.muteChat>('PUT', 'api/message/group/mute/{group_chat_id}')
export const unmuteChat = operation<typeof contract.unmuteChat>('DELETE', 'api/message/group/mute/{group_chat_id}')
export const sayTyping = operation<typeof contract.sayTyping>('PUT', 'api/message/typing/{group_chat_id}')
export const searchMessages = operation<typeof contract.searchMessages>('GET', 'api/message/search')
export const listAttachments = operation<typeof contract.listAttachments>('GET', 'api/message/attachment/list')
export const addToAlbum = operation<typeof contract.addToAlbum>(
  'PUT',
  'api/message/attachment/add-to-album/{message_attachment_id}',
)
