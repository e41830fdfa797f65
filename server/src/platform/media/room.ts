import { sql } from 'kysely'
import type { Database, Db } from '../database/database.ts'
import { refuse } from '../http/refusals.ts'
import { needed } from './file-references.ts'

/** How many bytes of files one person and the whole instance may have; null: as much as there is space. */
export type Quotas = { personBytesMax: number; instanceBytesMax: number | null }

/**
 * Ensures that this many more bytes may be added by a person. Their files are counted when a transaction commits
 * (stored_bytes), so concurrent additions in other events are not seen yet. Refuses personFull, instanceFull.
 */
export const demandRoom = async (
  db: Db,
  userId: number,
  more: number,
  { personBytesMax, instanceBytesMax }: Quotas,
): Promise<void> => {
  const { rows } = await sql<{ user_id: number; bytes: number }>`
    select user_id, bytes from stored_bytes where user_id in (0, ${userId})`.execute(db)
  const bytesOf = (id: number) => rows.find(row => row.user_id === id)?.bytes ?? 0
  if (bytesOf(userId) + more > personBytesMax) refuse('personFull')
  if (instanceBytesMax !== null && bytesOf(0) + more > instanceBytesMax) refuse('instanceFull')
}

/** Of everybody together. */
export const storedBytes = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`select bytes from stored_bytes where user_id = 0`.execute(db)
  return rows[0]?.bytes ?? 0
}

const givenUpAtOnce = 500

/** Stops counting files that no row needs any more: the sweeper is about to remove them. */
export const giveUpFiles = async (db: Database): Promise<void> => {
  for (;;) {
    const { rows } = await sql`
      update media m set given_up_at = now() where m.id in (
        select o.id from media o where o.given_up_at is null and o.removed_at is not null and not (${needed}) limit ${givenUpAtOnce}
      ) or m.id in (
        select o.id from media o join events e on e.id = o.event_id
        where e.deleted_at is not null and o.given_up_at is null and not (${needed}) limit ${givenUpAtOnce}
      ) returning m.id`.execute(db)
    if (rows.length === 0) return
  }
}
