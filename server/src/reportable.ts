import { livingMessageFor } from './chats/access.ts'
import { eventFor } from './events/access.ts'
import { commentFor, photoFor } from './gallery/access.ts'
import type { Reportable } from './people/reports.ts'

/** What can be reported, each through the door that proves that the reporter can see it. */
export const reportable: Reportable = {
  event: async (db, viewer, id) => ({ eventId: (await eventFor(db, viewer, id)).id }),
  message: async (db, viewer, id) => ({ eventId: (await livingMessageFor(db, viewer, id)).chat.event_id }),
  photo: async (db, viewer, id) => ({ eventId: (await photoFor(db, viewer, id)).event_id }),
  comment: async (db, viewer, id) => ({ eventId: (await commentFor(db, viewer, id, 'mayNotReadComments')).event_id }),
}
