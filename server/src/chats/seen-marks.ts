import { readAllAbout, type Seen } from '../notifications/mark-read.ts'
import { batched } from '../platform/database/batch.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { messageFor } from './access.ts'
import { readWithChat } from './notification-templates.ts'
import * as marks from './seen-marks-store.ts'

/**
 * Simultaneous marks are moved together; afterwards no notification about the chat so far is unread. Refuses
 * noSuchMessage, notInEvent. Returns the chat's ID.
 */
export const openMarking = (db: Database) => {
  const most = 128
  const together = <Asked>(act: (all: readonly Asked[]) => Promise<unknown>) =>
    batched((all: readonly Asked[]) => act(all).then(() => all), { most })
  const moveMark = batched((all: readonly marks.Reading[]) => marks.moveMarks(db, all), {
    most,
    apart: ({ chatId }) => chatId,
  })
  const waitForNotices = together((chatIds: readonly number[]) => marks.waitForNotices(db, chatIds))
  const readNotices = together((all: readonly Seen[]) => readAllAbout(db, readWithChat, all))

  return async (viewer: Viewer, messageId: number): Promise<number> => {
    const { chat, message } = await messageFor(db, viewer, messageId)
    const mark = { chatId: chat.id, userId: viewer.id, sequence: message.sequence }
    if (!(await marks.hasReached(db, mark))) {
      if (!(await moveMark(mark))) refuse('notInEvent')
      await waitForNotices(chat.id)
    }
    await readNotices({ userId: viewer.id, eventId: chat.event_id, subjectIdMax: message.id })
    return chat.id
  }
}

export const showsSeen = async (db: Db, userId: number) => (await marks.hidingSeen(db, [userId])).size === 0

export const setSeenShown = (db: Db, viewer: Viewer, shown: boolean) => marks.setHidesSeen(db, viewer.id, !shown)
