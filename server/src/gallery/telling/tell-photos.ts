import { announce, type Change } from '../../log/announce.ts'
import { nextAt } from '../../notifications/delivery/quiet-hours.ts'
import { type Database, type Transaction, transact } from '../../platform/database/database.ts'
import { eventsOver, noteRecaps, takeAtOnce, takeHourly, type Untold } from './untold-store.ts'

/** As `photos.added` carries it. `atOnce`: only for organizers who want to hear of photos immediately. */
export type PhotosAdded = { photos: number[]; atOnce: boolean }

/**
 * Announces added photos, each once: an event's together and at most once an hour. A row is removed with its
 * announcement, so two processes never announce the same photo.
 */
export const tellPhotos = (db: Database) => async (): Promise<void> => {
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

const nine = 9 * 60

/**
 * Sends an event's recap at nine on the first morning after it, in its time zone: once, as a row ensures. If the
 * service was down then, it is sent within the day.
 */
export const tellRecaps = (db: Database) => async (): Promise<void> =>
  transact(db, async tx => {
    const over = await eventsOver(tx)
    const due = over.filter(({ over_at, timezone, now }) => nextAt(nine, timezone, over_at.getTime()) <= now.getTime())
    const fresh = await noteRecaps(tx, due)
    await announce(
      tx,
      due
        .filter(({ id }) => fresh.has(id))
        .map(({ id, created_by: actorId }) => ({
          kind: 'recap.due',
          audience: 'event',
          eventId: id,
          actorId,
          subjectId: id,
          notify: true,
        })),
    )
  })
