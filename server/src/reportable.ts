import { livingMessageFor } from './chats/access.ts'
import { eventFor } from './events/access.ts'
import { commentFor, photoFor } from './gallery/access.ts'
import type { Reportable } from './people/reports.ts'

/** What can be reported, each through the door that proves that the reporter can see it. */
export const reportable: Reportable = {
  event: async (db, viewer, id) => ({ eventId: (await eventFor(db, viewer, id)).id, userId: null }),
  message: async (db, viewer, id) => {
    const { chat, message } = await livingMessageFor(db, viewer, id)
    return { eventId: chat.event_id, userId: message.user_id }
  },
  photo: async (db, viewer, id) => {
    const { event_id: eventId, taken_by: userId } = await photoFor(db, viewer, id)
    return { eventId, userId }
  },
  comment: async (db, viewer, id) => {
    const comment = await commentFor(db, viewer, id, 'mayNotReadComments')
    return { eventId: comment.event_id, userId: comment.user_id, photoId: comment.photo_id }
  },
}
