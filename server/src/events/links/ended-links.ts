import { announce } from '../../log/announce.ts'
import { type Database, type Transaction, transact } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import { lockEvent } from '../store.ts'
import { endLinks, linksEndedIn, planEndOfLinks } from './ended-links-store.ts'

const foldedMs = 3000

/**
 * Ends everybody's links to the event's pictures, because somebody who lost access may hold those of others. Their own
 * have ended already. Everybody loads new ones: so what is removed within seconds is ended together. Expects the event's
 * lock.
 */
export const endLinksOfAll = async (tx: Transaction, eventId: number) => {
  const endedIn = await linksEndedIn(tx, eventId)
  if (endedIn === null || endedIn <= -foldedMs) return endLinks(tx, eventId)
  if (endedIn > 0) return
  await planEndOfLinks(tx, eventId, foldedMs)
  await addJob(tx, 'endLinks', { eventId }, { afterMs: foldedMs })
}

/** A job. */
export const endLinksTogether =
  (db: Database) =>
  ({ eventId }: { eventId: number }) =>
    transact(db, async tx => {
      if (!(await lockEvent(tx, eventId))) return
      await endLinks(tx, eventId)
      const about = { kind: 'event.updated', audience: 'event', actorId: 0, detail: { changed: [] } } as const
      await announce(tx, { ...about, eventId, subjectId: eventId })
    })
