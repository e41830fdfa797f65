import { sql } from 'kysely'
import { type Database, type Transaction, transact } from '../database/database.ts'
import { firstValue } from '../database/rows.ts'
import { Refused } from '../http/refusals.ts'
import { addJob, limited, type Task } from '../jobs/jobs.ts'
import { PictureRefused, type Pictures, type Variant } from './pictures/picture.ts'
import type { Quotas } from './quotas.ts'
import { receive } from './received-file.ts'
import { NotStored, type Storage } from './storage/storage.ts'
import { addVariants } from './variants-store.ts'

/*
 * The size between preview and display, as phones show it. It is made after the upload, while nobody waits for a
 * picture; until then, and where it saves nothing, its link gives the display size.
 */

const task = 'makeMedium'
/** From a smaller one, 1280 px save too little. */
const displayEdgeMin = 1500

/** Has it made for those of these pictures that are large enough. */
export const addMedium = async (
  tx: Transaction,
  pictures: readonly { id: number; display: Pick<Variant, 'type' | 'width' | 'height'> }[],
) => {
  const mediaIds = pictures
    .filter(({ display }) => display.type === 'image/jpeg' && Math.max(display.width, display.height) >= displayEdgeMin)
    .map(({ id }) => id)
  if (mediaIds.length > 0) await queue(tx, mediaIds)
}

const queue = (tx: Transaction, mediaIds: readonly number[]) => addJob(tx, task, { mediaIds }, { lane: task })

type MediumSizeOptions = {
  db: Database
  storage: Storage
  pictures: Pick<Pictures, 'quiet' | 'medium'>
  quotas: Quotas
  /** Aborted when the service stops: the next process does the rest. */
  signal: AbortSignal
}

export const mediumTasks = (opening: MediumSizeOptions): Record<string, Task> => ({
  [task]: limited({ minutes: 60 }, async ({ mediaIds }: { mediaIds: number[] }, late) => {
    const { db, pictures, signal } = opening
    for (const [at, id] of mediaIds.entries()) {
      if (!(await pictures.quiet(AbortSignal.any([signal, late]))))
        return transact(db, tx => queue(tx, mediaIds.slice(at)))
      await make(opening, id)
    }
  }),
})

const make = async ({ db, storage, pictures, quotas }: Omit<MediumSizeOptions, 'signal'>, id: number) => {
  const display = await displayOf(db, id)
  if (!display) return
  try {
    const { stream } = await storage.open(display.sha256)
    const local = await receive(stream, { bytesMax: display.bytes }, storage)
    const made = await pictures.medium(local.path).finally(local.remove)
    if (made.length > 0) await transact(db, tx => keep(tx, { id, display, made, quotas, has: storage.has }))
  } catch (error) {
    // Nothing is lost: the display size exists, or the nightly check reports that it does not.
    if (!(error instanceof PictureRefused || error instanceof NotStored || error instanceof Refused)) throw error
  }
}

/** Undefined if there is nothing (more) to do. */
const displayOf = (db: Database, id: number) => firstValue<Variant>(db)`
    select variants -> 'display' as display from media
    where id = ${id} and removed_at is null and not (variants ?| '{medium,medium-avif}')`

type Keeping = { id: number; display: Variant; made: readonly Variant[]; quotas: Quotas; has: Storage['has'] }

/** Unless the picture was replaced meanwhile. Refuses personFull, instanceFull. */
const keep = async (tx: Transaction, { id, display, made, quotas, has }: Keeping) => {
  const { rows } = await sql<{ owner_id: number }>`
    select owner_id from media where id = ${id} and variants -> 'display' ->> 'sha256' = ${display.sha256}
    for no key update`.execute(tx)
  if (!rows[0]) return
  const variants = Object.fromEntries(made.map(variant => [nameOf(variant), variant]))
  await addVariants(tx, { id, ownerId: rows[0].owner_id, variants, quotas, has })
}

const nameOf = ({ type }: Pick<Variant, 'type'>) => (type === 'image/avif' ? 'medium-avif' : 'medium')
