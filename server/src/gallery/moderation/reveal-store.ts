import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allValues, oneRow, run } from '../../platform/database/rows.ts'

/*
 * Photos that are sealed until they are revealed. The gallery's row says so, and its lock orders the reveal with photos
 * that are added or decided about: none is left behind.
 */

export type SealedFrom = 'guests' | 'everybody'

export type Seal = {
  event_id: number
  sealed_from: SealedFrom | null
  reveals_at: Date | null
  revealed_at: Date | null
  asks_for_photos: boolean
  due: boolean
  /** The database's clock alone decides about times: that of a process may be wrong. */
  now: Date
}

const seal = sql`galleries.event_id, galleries.sealed_from, galleries.reveals_at, galleries.revealed_at, galleries.asks_for_photos,
  coalesce(galleries.sealed_from is not null and galleries.reveals_at <= now(), false) as due,
  now() as now`

export const sealsOf = async (db: Db, eventIds: readonly number[]): Promise<ReadonlyMap<number, Seal>> => {
  const { rows } = await sql<Seal>`
    select ${seal} from galleries
    where event_id = any(${eventIds}::bigint[])`.execute(db)
  return new Map(rows.map(row => [row.event_id, row]))
}

/** Locked until the transaction ends; an event has a gallery from then on. */
export const lockSeal = (tx: Transaction, eventId: number) => oneRow<Seal>(tx)`
    insert into galleries (event_id) values (${eventId})
    on conflict (event_id) do update set event_id = excluded.event_id
    returning ${seal}`

type Saved = Pick<Seal, 'event_id' | 'sealed_from' | 'reveals_at' | 'revealed_at'>

export const saveSeal = (tx: Transaction, { event_id, sealed_from, reveals_at, revealed_at }: Saved) => run(tx)`
    update galleries set sealed_from = ${sealed_from}, reveals_at = ${reveals_at}, revealed_at = ${revealed_at}
    where event_id = ${event_id}`

export type Sealed = { id: number; media_id: number; deleted: boolean }

/** Seals all photos that are not hidden anyway, deleted ones too. Returns those that everybody saw until now. */
export const sealPhotos = async (tx: Transaction, eventId: number, from: SealedFrom) => {
  const { rows } = await sql<Sealed & { seen: boolean }>`
    with before as (
      select id, hidden_at is null as seen from photos
      where event_id = ${eventId} and (hidden_at is null or sealed_from is not null) for no key update
    )
    update photos p set hidden_at = coalesce(p.hidden_at, now()), sealed_from = ${from}, updated_at = clock_timestamp()
    from before where p.id = before.id
    returning p.id, p.media_id, p.deleted_at is not null as deleted, before.seen`.execute(tx)
  await sql`update photos set same_as = null where event_id = ${eventId} and same_as is not null`.execute(tx)
  return rows.filter(({ seen, deleted }) => seen && !deleted)
}

/** Shows all sealed photos, deleted ones too, which may be restored. Returns the others. */
export const unsealPhotos = async (tx: Transaction, eventId: number) => {
  const { rows } = await sql<Sealed>`
    update photos set hidden_at = null, sealed_from = null, updated_at = clock_timestamp()
    where event_id = ${eventId} and sealed_from is not null
    returning id, media_id, deleted_at is not null as deleted`.execute(tx)
  await sql`
    update photos p set same_as = same.first from (
      select q.id, min(q.id) over (partition by m.original_sha256) as first
      from photos q join media m on m.id = q.media_id
      where q.event_id = ${eventId} and q.deleted_at is null and q.hidden_at is null
        and not exists (select from videos v where v.media_id = q.media_id)
    ) same
    where p.id = same.id and same.first <> p.id and p.same_as is null`.execute(tx)
  return rows.filter(({ deleted }) => !deleted)
}

/** Galleries of events that still exist, whose time has come. */
export const dueReveal = `
  select g.event_id from galleries g join events e on e.id = g.event_id and e.deleted_at is null
  where g.sealed_from is not null and g.reveals_at <= now()`

export const dueReveals = (db: Db) => allValues<number>(db)`
    ${sql.raw(dueReveal)} order by g.reveals_at, g.event_id`

export const saveAsking = (tx: Transaction, eventId: number, asks: boolean) => run(tx)`
    insert into galleries (event_id, asks_for_photos) values (${eventId}, ${asks})
    on conflict (event_id) do update set asks_for_photos = excluded.asks_for_photos`

export const ownerOf = async (db: Db, eventId: number) => {
  const { rows } = await sql<{ created_by: number }>`select created_by from events where id = ${eventId}`.execute(db)
  return rows[0]?.created_by ?? 0
}
