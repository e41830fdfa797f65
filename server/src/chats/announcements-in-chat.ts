import type { AnnouncementsInChat } from '../events/announcements/announcements.ts'
import { announce } from '../log/announce.ts'
import { rewriteNotifications } from '../notifications/mark-read.ts'
import { holdChat } from './access.ts'
import { findAnnouncing, stands } from './announcing-store.ts'
import { buryMessage, ofItsChat, updated } from './messages/change-message.ts'
import { updateContent } from './messages/change-message-store.ts'
import { sendMessages } from './messages/send-message-store.ts'
import { readWithChat } from './notification-templates.ts'

/**
 * An announcement is also its organizer's message in the chat, for clients that know only chats. It has a notification
 * of its own, so the message notifies nobody.
 */
export const announcementsInChat: AnnouncementsInChat = {
  async say(tx, viewer, { eventId, text, messageId }) {
    const chat = await findAnnouncing(tx, eventId)
    if (!chat) return messageId
    await holdChat(tx, viewer, chat)
    if (messageId !== null && (await stands(tx, messageId))) {
      await updateContent(tx, messageId, text)
      await rewriteNotifications(tx, { eventId, kinds: readWithChat, subjectId: messageId, text })
      await announce(tx, [updated(viewer, chat, messageId), ...(await ofItsChat(tx, viewer, chat, messageId))])
      return messageId
    }
    const message = {
      chatId: chat.id,
      userId: viewer.id,
      content: text,
      replyId: undefined,
      key: undefined,
      mediaIds: [],
    }
    const [sent] = await sendMessages(tx, [message], { notify: false })
    return sent && 'message' in sent ? sent.message.id : null
  },

  async takeBack(tx, viewer, { eventId, messageId }) {
    const chat = await findAnnouncing(tx, eventId, { any: true })
    if (!chat) return
    await holdChat(tx, viewer, chat)
    await buryMessage(tx, viewer, chat, messageId)
  },
}
