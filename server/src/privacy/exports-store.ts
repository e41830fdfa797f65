import { sql } from 'kysely'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows, allValues, anyRow, firstRow, run } from '../platform/database/rows.ts'

/** An export with its file, if it has one. */
export type ExportRow = {
  id: number
  user_id: number
  state: 'waiting' | 'ready' | 'failed'
  media_id: number | null
  bytes: number | null
  /** The epoch with which its link is signed. */
  epoch: number
  created_at: Date
  expires_at: Date
}

const columns = sql`
  x.id, x.user_id, x.state, x.media_id, m.original_bytes as bytes,
  coalesce(m.epoch, 0) + u.link_epoch as epoch, x.created_at, x.expires_at
  from account_exports x join users u on u.id = x.user_id left join media m on m.id = x.media_id`

/** One's own, until it expires. */
export const findExport = (db: Db, userId: number, id: number) => firstRow<ExportRow>(db)`
    select ${columns} where x.id = ${id} and x.user_id = ${userId} and x.expires_at > now()`

/** One's own exports that have not expired, newest first. */
export const listExports = (db: Db, userId: number, { offset, limit }: { offset: number; limit: number }) =>
  allRows<ExportRow>(db)`
    select ${columns} where x.user_id = ${userId} and x.expires_at > now()
    order by x.id desc offset ${offset} limit ${limit}`

/** The one in progress, or completed within the last hour. */
export const findRecent = (db: Db, userId: number) => firstRow<ExportRow>(db)`
    select ${columns} where x.user_id = ${userId} and x.expires_at > now()
      and (x.state = 'waiting' or (x.state = 'ready' and x.created_at > now() - interval '1 hour'))
    order by x.id desc limit 1`

export const insertExport = async (tx: Transaction, userId: number) => {
  const { rows } = await sql<{ id: number }>`
    insert into account_exports (user_id) values (${userId}) returning id`.execute(tx)
  return (rows[0] as { id: number }).id
}

/** An export that is still waiting, and whose it is. */
export const findWaiting = (db: Db, id: number) => firstRow<{ user_id: number }>(db)`
    select user_id from account_exports where id = ${id} and state = 'waiting' and expires_at > now()`

/** How many bytes a new export may add to somebody's storage: their uploads, minus the export it replaces. */
export const bytesOfNext = async (db: Db, userId: number) => {
  const { rows } = await sql<{ bytes: number }>`
    select (coalesce(sum((m.original_bytes + coalesce(v.original_bytes, 0)) * case when x.id is null then 1 else -1 end), 0))::bigint
      as bytes
    from media m left join videos v on v.media_id = m.id left join account_exports x on x.media_id = m.id
      left join events e on e.id = m.event_id
    where m.owner_id = ${userId} and m.removed_at is null and e.erased_at is null`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Removes somebody's exports before this one, and returns their files. */
export const removeBefore = async (tx: Transaction, userId: number, id: number) => {
  const { rows } = await sql<{ media_id: number | null }>`
    delete from account_exports where user_id = ${userId} and id < ${id} returning media_id`.execute(tx)
  return rows.map(row => row.media_id).filter(mediaId => mediaId !== null)
}

/** False if somebody else completed it, or its account left in the meantime. */
export const markReady = (tx: Transaction, id: number, mediaId: number) => anyRow(tx)`
    update account_exports set state = 'ready', media_id = ${mediaId}, expires_at = now() + interval '7 days'
    where id = ${id} and state = 'waiting' returning id`

/** An export that cannot be completed within a day never will be. */
export const failStale = (db: Db) => run(db)`
    update account_exports set state = 'failed'
    where state = 'waiting' and created_at < now() - interval '1 day'`

/** Removes exports, all of a user's or the expired ones, and returns their files. */
export const removeExports = async (tx: Transaction, userId: number | null) => {
  const { rows } = await sql<{ media_id: number | null }>`
    delete from account_exports
    where case when ${userId}::bigint is null then expires_at <= now() else user_id = ${userId} end
    returning media_id`.execute(tx)
  return rows.map(row => row.media_id).filter(id => id !== null)
}

/** Exports have no size, unlike pictures. */
export const hashesOfExports = (db: Db, userId: number) => allValues<string>(db)`
    select distinct original_sha256 as sha256 from media
    where owner_id = ${userId} and event_id is null and width = 0 and original_type = 'application/zip'`

export type OwnFile = { id: number; sha256: string; bytes: number; type: string; created_at: Date }

/**
 * A person's uploads that still exist, as they came, also in a deleted event until that is erased: for a video, its
 * poster image and the video itself; not their exports.
 */
export const ownFiles = (db: Db, userId: number, after: number, most: number) => allRows<OwnFile>(db)`
    select o.id, f.sha256, f.bytes, f.type, o.created_at
    from (
      select m.id, m.original_sha256, m.original_bytes, m.original_type, m.variants, m.created_at
      from media m left join events e on e.id = m.event_id
      where m.owner_id = ${userId} and m.id > ${after} and m.removed_at is null and e.erased_at is null
        and not exists (select from account_exports x where x.media_id = m.id)
      order by m.id limit ${most}
    ) o cross join lateral (
      select o.original_sha256 as sha256, o.original_bytes as bytes, o.original_type as type, 1 as nth
      union all
      select v.original_sha256, v.original_bytes, v.original_type, 2 from videos v where v.media_id = o.id
      union all
      select file ->> 'sha256', (file ->> 'bytes')::bigint, file ->> 'type', 3
      from jsonb_each(o.variants) variant(name, file)
      where name in ('raw', 'live') and file ->> 'sha256' <> o.original_sha256
    ) f
    order by o.id, f.nth`
