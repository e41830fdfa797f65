import type { Standing } from '@afterglow/contract/capabilities'
import { uploadSessionHours } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import { standingIn } from '../events/standing-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows, allValues, anyRow, firstRow, run } from '../platform/database/rows.ts'

/* An expired session no longer counts, whether or not it has been swept. */

export const kinds = ['image', 'video', 'raw', 'live'] as const
export type Kind = (typeof kinds)[number]

export type UploadSession = {
  id: string
  event_id: number
  kind: Kind
  filename: string | null
  bytes: number
  sha256: string | null
  received: number
  /** The sum of its bytes, after they were read. */
  content_sha256: string | null
  /** When a photo or a message was made of it. */
  used_at: Date | null
  photo_id: number | null
  touched_at: Date
}

const columns = sql`s.id, s.event_id, s.kind, s.filename, s.bytes, s.sha256, s.received, s.content_sha256,
  s.used_at, s.photo_id, s.touched_at`
const lives = sql`s.touched_at >= now() - make_interval(hours => case when s.received = 0 then 1 else ${uploadSessionHours} end)`

export type NewSession = Pick<UploadSession, 'id' | 'event_id' | 'kind' | 'filename' | 'bytes' | 'sha256'>

export const insertSession = (tx: Transaction, userId: number, session: NewSession) =>
  tx
    .insertInto('upload_sessions')
    .values({ ...session, user_id: userId })
    .execute()

/**
 * As SQL: how many places of the quota a person's open sessions reserve: an open image and video may become one photo.
 * `but` are not counted; `plus` is.
 */
export const placesHeldBy = (
  userId: number,
  eventId: number,
  { but = [], plus = null }: { but?: readonly string[]; plus?: Kind | null },
) => sql<number>`(
    select greatest(
      count(*) filter (where s.kind = 'image') + (coalesce(${plus}::text, '') = 'image')::int,
      count(*) filter (where s.kind = 'video') + (coalesce(${plus}::text, '') = 'video')::int)
    from upload_sessions s
    where s.event_id = ${eventId} and s.user_id = ${userId} and s.used_at is null and ${lives}
      and s.id <> all(${but}::uuid[]))`

export const countPlaces = async (db: Db, held: ReturnType<typeof placesHeldBy>) => {
  const { rows } = await sql<{ places: number }>`select ${held} as places`.execute(db)
  return rows[0]?.places ?? 0
}

/** How much these count towards their owner's storage. */
export const reservedBytes = async (db: Db, ids: readonly string[]) => {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from upload_sessions
    where id = any(${ids}::uuid[]) and used_at is null`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** This person's session that is not over, with their current standing in its event. */
export const findSession = (db: Db, userId: number, id: string) =>
  firstRow<UploadSession & { standing: Standing; status: number }>(db)`
    select ${columns}, e.status, ${standingIn(userId)} as standing
    from upload_sessions s join events e on e.id = s.event_id
    where s.id = ${id} and s.user_id = ${userId} and ${lives} and e.deleted_at is null`

/** This person's sessions that are not over, in any event. */
export const ownSessions = async (db: Db, userId: number, ids: readonly string[]) => {
  if (ids.length === 0) return []
  return allRows<UploadSession>(db)`
    select ${columns} from upload_sessions s
    where s.id = any(${ids}::uuid[]) and s.user_id = ${userId} and ${lives}`
}

/** This person's sessions in an event that are not over. With `lock`, nobody else can use or end them meanwhile. */
export const sessionsOf = (
  db: Db,
  userId: number,
  eventId: number,
  { ids, lock = false }: { ids: readonly string[]; lock?: boolean },
) => allRows<UploadSession>(db)`
    select ${columns} from upload_sessions s
    where s.id = any(${ids}::uuid[]) and s.user_id = ${userId} and s.event_id = ${eventId} and ${lives}
    order by s.id ${lock ? sql`for update` : sql``}`

/** A session regardless of the caller, who has already proven the right to it. */
export const readSession = (db: Db, id: string) => firstRow<UploadSession>(db)`
    select ${columns} from upload_sessions s where s.id = ${id} and ${lives}`

/**
 * Moves the offset of what is on disk from `before` to `received`. False if the session ended, was used, or another
 * process moved it: only one of two writers continues.
 */
export const moveEnd = (db: Db, id: string, before: number, received: number) => anyRow(db)`
    update upload_sessions s set received = ${received}, touched_at = now()
    where s.id = ${id} and s.received = ${before} and s.used_at is null and ${lives} returning 1`

/** Ends the sessions that a photo or a message was made of. False if one of them is used or gone. */
export const markUsed = async (db: Db, ids: readonly string[], photoId: number | null) => {
  const { rows } = await sql`
    update upload_sessions set photo_id = ${photoId}, used_at = now()
    where id = any(${ids}::uuid[]) and used_at is null returning 1`.execute(db)
  return rows.length === ids.length
}

export const noteContent = (db: Db, id: string, sha256: string) =>
  run(db)`update upload_sessions set content_sha256 = ${sha256} where id = ${id}`

/** False if it is used or gone. */
export const deleteUnused = (db: Db, id: string) =>
  anyRow(db)`delete from upload_sessions where id = ${id} and used_at is null returning 1`

/** Removes expired sessions, a few at a time. Returns their IDs. */
export const deleteOver = (db: Db, most: number) => allValues<string>(db)`
    delete from upload_sessions where id in (
      select s.id from upload_sessions s where not (${lives}) order by s.touched_at limit ${most} for update skip locked)
    returning id`

/** Removes the unused sessions of a deleted event. Returns their IDs. */
export const deleteOfDeleted = (db: Db, eventId: number) => allValues<string>(db)`
    delete from upload_sessions s using events e
    where e.id = s.event_id and e.id = ${eventId} and e.deleted_at is not null and s.used_at is null
    returning s.id`

/** The sessions among these that still need their file. */
export const waitingAmong = async (db: Db, ids: readonly string[]) => {
  const found = await allValues<string>(db)`
    select id from upload_sessions where id::text = any(${ids}::text[]) and used_at is null`
  return new Set(found)
}
