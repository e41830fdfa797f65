import { openVideoKeeping } from '../platform/video/store-upload.ts'
import { merged, type Needs, type Slice } from '../slice.ts'
import { livingMessageFor } from './access.ts'
import { eraseChatTraces, eraseEventMessages, takeMessagesBack } from './account-deletion.ts'
import { announcementsInChat } from './announcements-in-chat.ts'
import { announcing, copyAnnouncing, saveAnnouncing } from './announcing-store.ts'
import { chatShowing } from './channel-payloads.ts'
import { endDueChats, moveEnd } from './end-chat.ts'
import { dueEnd } from './end-chat-store.ts'
import { chatExport } from './export.ts'
import { chatNoticing } from './notification-templates.ts'
import { chatRoutes } from './routes.ts'
import { chatRecounts } from './store.ts'

export const chats: Slice = {
  name: 'chats',
  tables: {
    attachments: { kept: 'what people wrote' },
    chat_mutes: { kept: 'what people chose' },
    group_chats: { kept: 'one an event' },
    message_reactions: { kept: 'what people wrote' },
    messages: { kept: 'what people wrote' },
    seen_marks: { kept: 'one for a person and a chat' },
  },
  opens: { 'reaction to a message': ['removal', 'sending away'] },
  exports: chatExport,
  erasesEvent: eraseEventMessages,
  deletion: { content: takeMessagesBack, traces: eraseChatTraces },
  recounts: chatRecounts,
  channel: slices => chatShowing(merged(slices, 'cards')),
  notifications: chatNoticing,
  eventPart: {
    async read(db, events) {
      const all = await announcing(
        db,
        events.map(({ id }) => id),
      )
      return events.map(({ id }) => ({ event_announcements_in_chat: all.get(id) ?? true }))
    },
    async save(tx, { id }, { event_announcements_in_chat: announces }) {
      if (announces !== undefined) await saveAnnouncing(tx, id, announces)
    },
    copy: (tx, { from, to }) => copyAnnouncing(tx, from.id, to.id),
    move: moveEnd,
  },
  gives: () => ({ announcementsInChat }),
  reportable: {
    async message(db, viewer, id) {
      const { chat, message } = await livingMessageFor(db, viewer, id)
      return { eventId: chat.event_id, userId: message.user_id }
    },
  },
  schedule: [{ task: 'endChats', when: dueEnd }],
  open(
    parts: Needs<
      | 'background'
      | 'db'
      | 'media'
      | 'membership'
      | 'numbers'
      | 'realtime'
      | 'serve'
      | 'sessionFiles'
      | 'slices'
      | 'storage'
      | 'videos'
    >,
  ) {
    const { serve, storage, videos, numbers, realtime } = parts
    const keepVideo = openVideoKeeping(videos, storage, numbers)
    chatRoutes(serve, { ...parts, keepVideo, whisper: realtime.whisper, cards: merged(parts.slices, 'cards') })
    return { tasks: { endChats: endDueChats(parts.background) } }
  },
}
