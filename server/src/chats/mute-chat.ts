import { announce } from '../notifications/announcing.ts'
import { type Db, transact } from '../platform/database.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { chatFor } from './access.ts'
import * as store from './chat-list-store.ts'

/** Silences what a chat notifies the viewer of, or lets it ring again; saying it again changes nothing. */
export const setMuted = (db: Db, viewer: Viewer, chatId: number, muted: boolean) =>
  transact(db, async tx => {
    const { event_id: eventId } = await chatFor(tx, viewer, chatId)
    if (!(await store.setMuted(tx, viewer.id, chatId, muted))) return
    const self = { eventId, userId: viewer.id, actorId: viewer.id }
    await announce(tx, { kind: 'group.updated', audience: 'user', ...self, subjectId: chatId })
  })
