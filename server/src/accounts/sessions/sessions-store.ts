import { userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { anyRow, firstValue, oneRow, run } from '../../platform/database/rows.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { viewerStatus } from './link-viewers-store.ts'
import type { LetInBy, NewDevice } from './sessions.ts'

/** A valid session, and for how long it remains valid. */
export type FoundSession = { viewer: Viewer; expiresInMs: number }

/**
 * The session of each token, given as a hash; undefined if it is unknown, has ended, or belongs to a suspended account.
 */
export const findSessions = async (db: Db, tokenHashes: readonly Buffer[]) => {
  // At most one row per token, so that they are looked up individually, however many, and never by scanning the table.
  const { rows } = await sql<{
    n: number
    id: number
    user_id: number
    link_epoch: number
    crowd: string | null
    is_guest: boolean
    is_viewer: boolean
    came_to_add: boolean
    is_new: boolean
    ms_left: number
  }>`
    select h.n, s.id, s.user_id, u.link_epoch, case when u.status in (${sql.lit(userStatus.guest)}, ${sql.lit(viewerStatus)}) then 'link ' || u.came_by end as crowd,
      u.status = ${sql.lit(userStatus.guest)} as is_guest, u.status = ${sql.lit(viewerStatus)} as is_viewer,
      u.came_to_add and u.status = ${sql.lit(userStatus.guest)} as came_to_add,
      u.created_at > now() - interval '1 day' as is_new, extract(epoch from s.ends - now())::float8 * 1000 as ms_left
    from unnest(${tokenHashes}::bytea[]) with ordinality h (token_hash, n), lateral (
      select d.id, d.user_id, d.token_expires_at as ends from devices d where d.token_hash = h.token_hash
      union all
      select d.id, d.user_id, d.previous_token_expires_at from devices d where d.previous_token_hash = h.token_hash
      limit 1
    ) s join users u on u.id = s.user_id
    where s.ends > now() and u.status <> 3`.execute(db)
  const found: (FoundSession | undefined)[] = tokenHashes.map(() => undefined)
  for (const { n, id, ms_left, ...row } of rows) {
    const viewer = {
      id: row.user_id,
      deviceRow: id,
      linkEpoch: row.link_epoch,
      crowd: row.crowd,
      isGuest: row.is_guest,
      isLinkViewer: row.is_viewer,
      cameToAdd: row.came_to_add,
      isNew: row.is_new,
    }
    found[n - 1] = { viewer, expiresInMs: ms_left }
  }
  return found
}

/** Records that devices were used, this many milliseconds ago; a row that is being changed is skipped. */
export const noteLastUses = (db: Db, uses: readonly { deviceRow: number; msAgo: number }[]) => run(db)`
    with used as (
      select d.id, now() - u.ms_ago * interval '1 millisecond' as at
      from unnest(${uses.map(({ deviceRow }) => deviceRow)}::bigint[], ${uses.map(({ msAgo }) => msAgo)}::float8[])
        u (id, ms_ago) join devices d on d.id = u.id
      where d.last_used_at < now() - u.ms_ago * interval '1 millisecond'
      order by d.id for no key update of d skip locked
    )
    update devices d set last_used_at = used.at from used where d.id = used.id`

/** `ended`: another session ended because of it. */
type OpenedSession = { expires_at: Date; ended: boolean; status: number }

/** Signs a device in. */
export const openSession = (
  db: Db,
  {
    userId,
    device,
    tokenHash,
    sessionsMax,
    until,
  }: { userId: number; device: NewDevice; tokenHash: Buffer; sessionsMax: number; until: Date | null },
) => oneRow<OpenedSession>(db)`
    select expires_at, ended, person_status as status from open_session(${userId}, ${device.deviceId}, ${device.platform}, ${device.timezone},
      ${tokenHash}, ${sessionsMax}, ${until}::timestamptz)`

/** Records who let a device in, and into which event: its session ends when they could not any more. */
export const noteLetIn = (tx: Transaction, userId: number, deviceId: string, { by, eventId }: LetInBy) => run(tx)`
    update devices set let_in_by = ${by}, let_in_event = ${eventId}
    where user_id = ${userId} and device_id = ${deviceId}`

/** The owner has made a session that somebody else had opened for them their own. */
export const keepLetIn = (tx: Transaction, deviceRow: number) =>
  run(tx)`update devices set let_in_by = null, let_in_event = null where id = ${deviceRow}`

/**
 * Whether a session was opened by somebody else within a day, while one is there that was not, or that was let in by
 * another before.
 */
export const letInLately = (db: Db, deviceRow: number) => anyRow(db)`
    select from devices d join devices other on other.user_id = d.user_id and other.id <> d.id
    where d.id = ${deviceRow} and d.let_in_by is not null and d.created_at > now() - interval '24 hours'
      and other.token_expires_at > now() and (other.let_in_by is null
        or other.let_in_by <> d.let_in_by and other.created_at < d.created_at)
    limit 1`

/** Ends every session but this one that was opened by somebody else, with their keys; false if there is none. */
export const endLetIns = (tx: Transaction, userId: number, deviceRow: number) => anyRow(tx)`
    with ended as (
      delete from devices where user_id = ${userId} and let_in_by is not null and id <> ${deviceRow} returning device_id
    ), keys as (
      delete from return_keys k where k.user_id = ${userId} and k.let_in_by is not null
        and not exists (select from devices d where d.id = ${deviceRow} and d.device_id = k.device_id) returning device_id
    )
    select from ended union all select from keys`

/** A language without its region takes none away that is known. */
const noteLanguageWhere = (db: Db, device: RawBuilder<unknown>, language: Locale) => {
  const noted = sql`case when language like ${`${language}-%`} then language else ${language} end`
  return sql`
    with spoken as (
      update devices set language = ${noted} where ${device} and language is distinct from ${noted}
      returning user_id, language
    )
    update users u set language = spoken.language from spoken
    where u.id = spoken.user_id and (u.language is null or spoken.language like u.language || '-%')`.execute(db)
}

export const noteLanguage = (db: Db, deviceRow: number, language: Locale) =>
  noteLanguageWhere(db, sql`id = ${deviceRow}`, language)

export const noteLanguageOf = (db: Db, userId: number, deviceId: string, language: Locale) =>
  noteLanguageWhere(db, sql`user_id = ${userId} and device_id = ${deviceId}`, language)

/** Undefined if the session is over. */
export const replaceToken = (db: Db, deviceRow: number, tokenHash: Buffer) => firstValue<Date>(db)`
    update devices set previous_token_hash = token_hash, previous_token_expires_at = now() + interval '60 seconds',
      token_hash = ${tokenHash}, token_expires_at = now() + interval '30 days', updated_at = now()
    where id = ${deviceRow} returning token_expires_at`

/** The key that a device keeps to come back by ends with a session that somebody ends. */
const endKeys = sql`
  delete from return_keys k using ended e where k.user_id = e.user_id and k.device_id = e.device_id`

export const endSession = (db: Db, userId: number, deviceRow: number) => run(db)`
    with ended as (delete from devices where user_id = ${userId} and id = ${deviceRow} returning user_id, device_id)
    ${endKeys}`

/**
 * Links given to that person are invalidated as well: they are proven with this epoch. A suspension also raises the media
 * epoch of their events, by a trigger.
 */
const endLinks = (userId: number) => sql`update users set link_epoch = link_epoch + 1 where id = ${userId}`

/** Their sessions go on. */
export const endLinksOf = (db: Db, userId: number) => endLinks(userId).execute(db)

/** See end_codes in the schema. */
export const endCodesOf = (tx: Transaction, userId: number) => run(tx)`select end_codes(${userId})`

/** See end_sessions in the schema. Keeps one, or none. */
export const endSessionsBut = (db: Db, userId: number, deviceRow: number | null, { keepsCalendar = false } = {}) =>
  run(db)`select end_sessions(${userId}, ${deviceRow}::bigint, ${keepsCalendar})`

/** A session that somebody else may hold. */
export const endSessionAndLinks = async (tx: Transaction, userId: number, deviceRow: number) => {
  await endSession(tx, userId, deviceRow)
  await endCodesOf(tx, userId)
  await endLinksOf(tx, userId)
}

export const findDevice = async (db: Db, userId: number, deviceId: string) =>
  (
    await db
      .selectFrom('devices')
      .select('id')
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .executeTakeFirst()
  )?.id

export const listDevices = (db: Db, userId: number, { offset, limit }: { offset: number; limit: number }) =>
  db
    .selectFrom('devices')
    .select(['id', 'device_id', 'platform', 'timezone', 'let_in_by', 'last_used_at', 'created_at', 'updated_at'])
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
