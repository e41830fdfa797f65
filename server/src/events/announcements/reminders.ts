import { announce } from '../../log/announce.ts'
import { type Database, transact } from '../../platform/database/database.ts'
import { takeDueReminders } from './reminders-store.ts'

/**
 * Sends reminders a day and two hours before events begin; a reminder that was missed is sent late, as long as the
 * event has not started. A row per announced start ensures that it is sent once, despite crashes, clocks set back, and
 * events moved away and back. Moving an event announces its new time, so reminders already due are skipped.
 */
export const remind = (db: Database) => async (): Promise<void> =>
  transact(db, async tx => {
    await announce(
      tx,
      (await takeDueReminders(tx)).map(({ id, created_by: actorId, starts_at: startsAt }) => ({
        kind: 'reminder.due',
        audience: 'event',
        eventId: id,
        actorId,
        subjectId: id,
        detail: { startsAt },
        notify: true,
      })),
    )
  })
