import { announce } from '../notifications/announce.ts'
import { type Database, transact } from '../platform/database/database.ts'
import { takeDueReminders } from './reminders-store.ts'

/**
 * Reminds of events, a day and two hours before they begin; what nobody was up to tell in time is told late, as long as
 * it lies ahead. A row a start is told once: over crashes, clocks that are set back, and events moved away and back.
 * Whoever moves an event tells its new time, so that what was due before is left out.
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
