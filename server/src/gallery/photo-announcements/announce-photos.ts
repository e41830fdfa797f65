import { announce, type Change, type ChangeKind } from '../../log/announce.ts'
import { nextAt } from '../../notifications/delivery/quiet-hours.ts'
import { type Database, type Transaction, transact } from '../../platform/database/database.ts'
import {
  eventsOver,
  noteMoments,
  type Over,
  takeAtOnce,
  takeHourly,
  takeWaiting,
  type Untold,
} from './unannounced-photos-store.ts'

/** The payload of `photos.added`. `atOnce`: only for organizers who want to hear of photos immediately. */
export type PhotosAdded = { photos: number[]; atOnce: boolean }

/**
 * Announces added photos, each once: an event's together and at most once an hour. A row is removed with its
 * announcement, so two processes never announce the same photo.
 */
export const announcePhotos = (db: Database) => async (): Promise<void> => {
  await transact(db, async tx => tell(tx, await takeAtOnce(tx), true))
  await transact(db, async tx => tell(tx, await takeHourly(tx), false))
}

const tell = (tx: Transaction, untold: readonly Untold[], atOnce: boolean) =>
  announce(
    tx,
    [...Map.groupBy(untold, photo => photo.event_id)].flatMap(([eventId, photos]): Change[] => {
      const newest = photos.at(-1)
      if (!newest) return []
      const { photo_id: subjectId, taken_by: actorId } = newest
      const detail: PhotosAdded = { photos: photos.map(({ photo_id }) => photo_id), atOnce }
      return [
        {
          kind: 'photos.added',
          audience: atOnce ? 'organizers' : 'event',
          eventId,
          actorId,
          subjectId,
          detail,
          notify: true,
        },
      ]
    }),
  )

/** Notifies people who may approve that photos wait, once for all that came since the last notification. */
export const announceWaiting = (db: Database) => async (): Promise<void> =>
  transact(db, async tx => {
    const waiting = await takeWaiting(tx)
    await announce(
      tx,
      waiting.map(event => scheduled('photos.waiting', event)),
    )
  })

const scheduled = (kind: ChangeKind, { id, created_by: actorId }: { id: number; created_by: number }): Change => ({
  kind,
  audience: 'event',
  eventId: id,
  actorId,
  subjectId: id,
  notify: true,
})

const nine = 9 * 60
const six = 18 * 60
const dayMs = 24 * 60 * 60_000

/**
 * Sends an event's recap at nine on the first morning after it, in its time zone, and asks for more photos the day
 * after: each once, as a row ensures. If the service was down then, it is sent within the day.
 */
export const announceRecaps = (db: Database) => async (): Promise<void> =>
  transact(db, async tx => {
    await announceOnce(tx, 'recap', ({ over_at, timezone }) => nextAt(nine, timezone, over_at.getTime()))
    // Asks in the evening of the second day, after the recap.
    await announceOnce(tx, 'wanted', ({ over_at, timezone }) =>
      nextAt(six, timezone, nextAt(nine, timezone, over_at.getTime()) + dayMs),
    )
  })

const changes = { recap: 'recap.due', wanted: 'photos.wanted' } as const

const announceOnce = async (tx: Transaction, moment: keyof typeof changes, dueAt: (over: Over) => number) => {
  const due = (await eventsOver(tx, moment)).filter(over => dueAt(over) <= over.now.getTime())
  const fresh = await noteMoments(tx, moment, due)
  await announce(
    tx,
    due.filter(({ id }) => fresh.has(id)).map(event => scheduled(changes[moment], event)),
  )
}
