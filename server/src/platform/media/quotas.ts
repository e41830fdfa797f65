import { sql } from 'kysely'
import type { Database, Db } from '../database/database.ts'
import { refuse } from '../http/refusals.ts'
import { needed } from './file-references.ts'

/** How many bytes of files one person and the whole instance may have; null: as much as there is space. */
export type Quotas = { personBytesMax: number; guestBytesMax: number; instanceBytesMax: number | null }

/** The guests of one link have as much as this many people: a name costs nothing. */
const peopleOfLink = 2

/**
 * Ensures that this many more bytes may be added by a person. Their files are counted when a transaction commits
 * (stored_bytes), so concurrent additions in other events are not seen yet. Refuses personFull, instanceFull.
 */
export const requireQuota = async (
  db: Db,
  userId: number,
  more: number,
  { personBytesMax, guestBytesMax, instanceBytesMax }: Quotas,
): Promise<void> => {
  const { rows } = await sql<{ own: number; of_all: number; guest: boolean; of_link: number }>`
    select u.status = 5 as guest,
      coalesce((select bytes from stored_bytes where user_id = u.id), 0)::bigint as own,
      coalesce((select bytes from stored_bytes where user_id = 0), 0)::bigint as of_all,
      case when u.status = 5 then coalesce((
        select sum(s.bytes) from users o join stored_bytes s on s.user_id = o.id
        where o.came_by = u.came_by and o.status = 5), 0) else 0 end::bigint as of_link
    from users u where u.id = ${userId}`.execute(db)
  const { own, of_all, guest, of_link } = rows[0] ?? { own: 0, of_all: 0, guest: false, of_link: 0 }
  if (own + more > (guest ? Math.min(guestBytesMax, personBytesMax) : personBytesMax)) refuse('personFull')
  if (of_link + more > peopleOfLink * personBytesMax) refuse('personFull')
  if (instanceBytesMax !== null && of_all + more > instanceBytesMax) refuse('instanceFull')
}

/** As `requireQuota` for an announced upload: only received bytes count for the instance. */
export const requireInstanceQuota = async (db: Db, more: number, { instanceBytesMax }: Quotas): Promise<void> => {
  if (instanceBytesMax !== null && (await storedBytes(db)) + more > instanceBytesMax) refuse('instanceFull')
}

/** The total of everybody together. */
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
