import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { allRows } from '../database/rows.ts'

/** A table whose rows name files, each row belonging to a row `o` of `media`; or that row itself. */
export type FileSource = {
  /**
   * Such as `join films f on f.media_id = o.id`. Not `media` again: PostgreSQL 18.4 crashed on a self-join it removed.
   */
  joined: RawBuilder<unknown>
  /** The hashes of a row's files as text[], in an expression that an index supports. */
  hashes: RawBuilder<string[]>
  /** A row's files as a query of sha256, bytes, type. */
  files: RawBuilder<unknown>
}

/** A row of media names its own files; a slice that names files in its own table provides another source. */
const mediaFiles: FileSource = {
  joined: sql``,
  hashes: sql`media_hashes(o.original_sha256, o.variants)`,
  files: sql`
      select o.original_sha256 as sha256, o.original_bytes as bytes, o.original_type as type
      union all
      select file ->> 'sha256', (file ->> 'bytes')::bigint, file ->> 'type' from jsonb_each(o.variants) variant(name, file)`,
}

/** How long deleted items can be restored. Their files stay a day longer, so that a restore in progress finds them. */
export const restorable = sql`interval '30 days'`
const filesStay = sql`interval '31 days'`

/** Tells whether a row `o` of media still needs its files. */
export const needed = sql`
  (o.removed_at is null or o.removed_at > now() - ${filesStay})
  and not exists (select from events e where e.id = o.event_id and e.deleted_at <= now() - ${filesStay})`

const ofAll = (sources: readonly FileSource[], query: (source: FileSource) => RawBuilder<unknown>) =>
  sql.join([mediaFiles, ...sources].map(query), sql` union all `)

/** Filters these files by whether some row needs them, including upload sessions in progress. */
export const neededAmong = async (
  db: Db,
  sources: readonly FileSource[],
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ sha256: string }>`
    select distinct sha256 from (${ofAll(
      sources,
      source => sql`
        select unnest(${source.hashes}) as sha256 from media o ${source.joined}
        where ${source.hashes} && ${hashes}::text[] and ${needed}`,
    )}
      union all select sha256 from upload_parts where sha256 = any(${hashes}::text[])
    ) named where sha256 = any(${hashes}::text[])`.execute(db)
  return new Set(rows.map(row => row.sha256))
}

export type NamedFile = { media_id: number; sha256: string; bytes: number; type: string }

/** The files of the next rows of media after an ID that need theirs, in order; empty at the end. */
export const filesAfter = async (
  db: Db,
  sources: readonly FileSource[],
  mediaId: number,
  count: number,
): Promise<NamedFile[]> => {
  const { rows: next } = await sql<{ id: number }>`
    select o.id from media o where o.id > ${mediaId} and ${needed} order by o.id limit ${count}`.execute(db)
  return next.length === 0
    ? []
    : filesOf(
        db,
        sources,
        next.map(({ id }) => id),
      )
}

/** The files of these rows of media as far as they still need them. */
export const filesOf = (db: Db, sources: readonly FileSource[], mediaIds: readonly number[]) => allRows<NamedFile>(db)`
    select distinct on (media_id, sha256) media_id, sha256, bytes, type from (${ofAll(
      sources,
      source => sql`
        select o.id as media_id, f.sha256, f.bytes, f.type
        from media o ${source.joined} cross join lateral (${source.files}) f
        where o.id = any(${mediaIds}::bigint[]) and ${needed}`,
    )}) named order by media_id, sha256`
