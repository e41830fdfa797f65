import { photographerPhotosMax } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import type { Manageable } from '../../events/standing.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { anyRow, firstRow, run } from '../../platform/database/rows.ts'

/** The limit for a person `g` of the event `e`, who may be its photographer; null if the instance's limit applies. */
export const photosAllowed = sql`case when g.photographs_by is null then coalesce(g.photos_max, e.photos_per_guest)
  else greatest(${sql.lit(photographerPhotosMax)}, g.photos_max, e.photos_per_guest) end`

/** Photos by a person `g` of an event do not wait for approval. */
export const isTrusted = sql`(g.trusted or exists (
  select from event_links l where l.id = g.photographs_by and not l.photos_wait))`

export type AllowanceRow = {
  event_id: number
  user_id: number
  photos_max: number | null
  photos_per_guest: number | null
  photos_count: number
  allowed: number | null
  trusted: boolean
}

type Managed = { id: number } & Manageable

export const findAllowance = (db: Db, userId: number, eventId: number) => firstRow<AllowanceRow>(db)`
    select g.event_id, g.user_id, g.photos_max, e.photos_per_guest, g.photos_count, ${photosAllowed} as allowed, ${isTrusted} as trusted
    from seats m join guests g using (event_id, user_id) join events e on e.id = g.event_id
    where m.event_id = ${eventId} and m.user_id = ${userId} and e.deleted_at is null`

export const allowEverybody = (tx: Transaction, { id: eventId }: Managed, most: number | null) =>
  run(tx)`update events set photos_per_guest = ${most} where id = ${eventId}`

/** An undefined field stays unchanged. False if the person is not in the event. */
export const allowPerson = (
  tx: Transaction,
  { id: eventId }: Managed,
  userId: number,
  { most, trusted }: { most: number | null | undefined; trusted: boolean | undefined },
) => anyRow(tx)`
    update members m set photos_max = ${most === undefined ? sql`m.photos_max` : most},
      trusted = coalesce(${trusted ?? null}::boolean, m.trusted)
    where m.event_id = ${eventId} and m.user_id = ${userId} returning 1`
