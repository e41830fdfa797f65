import { audit } from '../events/auditing.ts'
import { announce } from '../notifications/announcing.ts'
import { withdrawDeleted, withdrawTagged } from '../notifications/reading.ts'
import type { Db } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { renewMedia } from '../platform/media/records.ts'
import { holdChat, livingMessageFor, mayHide } from './access.ts'
import { tags, tellsOfMessage } from './noticing.ts'
import type { InTurn } from './turns.ts'
import * as store from './writing-store.ts'

/**
 * Hides what a message says and shows from all but its author and the organizers, or shows it again; a second time changes
 * nothing. Its place in the chat stays, and the old URLs of its pictures are dead.
 */
export const setMessageHidden = async (inTurn: InTurn, db: Db, viewer: Viewer, id: number, hidden: boolean) => {
  const { chat } = await livingMessageFor(db, viewer, id)
  await inTurn(db, chat.id, async tx => {
    await holdChat(tx, viewer, chat)
    const found = await livingMessageFor(tx, viewer, id)
    if (!mayHide(found.chat)) refuse('notOrganizer')
    if ((found.message.hidden_at !== null) === hidden) return
    const eventId = chat.event_id
    const mediaIds = await store.setHidden(tx, chat.id, id, hidden)
    if (hidden) await renewMedia(tx, mediaIds)
    const act = hidden ? 'message.hidden' : 'message.unhidden'
    await audit(tx, viewer, { act, eventId, subjectId: id, userId: found.message.user_id })
    const about = { audience: 'event', eventId, actorId: viewer.id } as const
    const photoIds = hidden && mediaIds.length > 0 ? await store.photosMadeOf(tx, id) : []
    await announce(tx, [
      { ...about, kind: 'message.updated', subjectId: id },
      // What it leaves unread, and which message is the latest now, nobody can tell from the message alone.
      { ...about, kind: 'group.updated', subjectId: chat.id },
      ...photoIds.map(photoId => ({ ...about, kind: 'photo.updated', subjectId: photoId }) as const),
    ])
    if (!hidden) return
    await withdrawDeleted(tx, { kinds: tellsOfMessage, subjectIds: [id], instead: 'The message was hidden.' })
    await withdrawTagged(tx, eventId, [tags.reactions(id)], 'hidden')
  })
}
