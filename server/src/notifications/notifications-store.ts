import type { Reason } from '@afterglow/contract/reasons'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Db, notByIndex, type Transaction } from '../platform/database/database.ts'
import type { Notifications } from '../platform/database/schema.ts'
import type { NotificationKind } from './notices.ts'
import type { TextValues } from './texts.ts'

export type NotificationRow = Omit<Selectable<Notifications>, 'reasons'> & { reasons: readonly Reason[] }

/** A JSON value as PostgreSQL stores it. */
export const jsonb = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`

export const unread = sql`read_at is null and withdrawn_at is null`

// ---- lists ----

/** The index contains hours; only within one there is something to sort. */
const newestFirst = sql`updated_hour desc, updated_at desc, id desc`

export const listNotifications = async (
  db: Db,
  userId: number,
  { offset, limit }: { offset: number; limit: number },
) => {
  const { rows } = await sql<NotificationRow>`
    select * from notifications where user_id = ${userId} and withdrawn_at is null
    order by ${newestFirst} offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** When the first of the list was sent or updated. */
export const newestAt = async (db: Db, userId: number) => {
  const { rows } = await sql<{ updated_at: Date }>`
    select updated_at from notifications where user_id = ${userId} and withdrawn_at is null
    order by ${newestFirst} limit 1`.execute(db)
  return rows[0]?.updated_at
}

export const countUnread = async (db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await sql<{ user_id: number; count: number }>`
    select user_id, count(*) from notifications where user_id = any(${userIds}::bigint[]) and ${unread}
    group by user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.count]))
}

/**
 * The newest of each of these people's notifications that were read or withdrawn, as long as a push of them may still
 * be shown.
 */
export const readLately = async (
  db: Db,
  userIds: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, number[]>> => {
  const { rows } = await sql<{ user_id: number; id: number }>`
    select u.id as user_id, n.id from unnest(${userIds}::bigint[]) u (id) cross join lateral (
      select id from notifications where user_id = u.id and updated_hour > now() - interval '3 days'
        and (read_at is not null or withdrawn_at is not null)
      order by ${newestFirst} limit ${most}) n`.execute(db)
  return new Map([...Map.groupBy(rows, row => row.user_id)].map(([id, all]) => [id, all.map(row => row.id)]))
}

/** A user's own notification; a withdrawn one only on request. */
export const findNotification = async (db: Db, userId: number, id: number, { withdrawn = false } = {}) => {
  const { rows } = await sql<NotificationRow>`
    select * from notifications where id = ${id} and user_id = ${userId}
      and (withdrawn_at is null or ${withdrawn})`.execute(db)
  return rows[0]
}

export const notificationsById = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NotificationRow>> => {
  const { rows } = await sql<NotificationRow>`
    select * from notifications where id = any(${ids}::bigint[]) and withdrawn_at is null`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

// ---- read and withdrawn ----

/** Notifications that match all of this. */
export type Which = {
  id?: number | undefined
  kinds?: readonly NotificationKind[] | undefined
  eventId?: number | undefined
  subjectIds?: readonly number[] | undefined
  subjectIdMax?: number | undefined
  tags?: readonly string[] | undefined
  userIds?: readonly number[] | undefined
  actorIds?: readonly number[] | undefined
  /** Not about the person's own acts. */
  byOthers?: true
  unread?: true
  /** Stands for a single act. */
  single?: true
}

/** The subjects of unread notifications are not indexed: one is found among the event's or user's unread ones. */
const meets = (which: Which) => sql`true
  ${which.id === undefined ? sql`` : sql`and id = ${which.id}`}
  ${which.kinds ? sql`and kind = any(${which.kinds}::text[])` : sql``}
  ${which.eventId === undefined ? sql`` : sql`and ${which.userIds ? notByIndex(sql`event_id`) : sql`event_id`} = ${which.eventId}`}
  ${
    which.subjectIds
      ? sql`and subject_id = any(${which.subjectIds}::bigint[])
        and (read_subject_id is null or read_subject_id = any(${which.subjectIds}::bigint[]))`
      : sql``
  }
  ${which.subjectIdMax === undefined ? sql`` : sql`and coalesce(subject_id, 0) <= ${which.subjectIdMax}`}
  ${which.tags ? sql`and tag = any(${which.tags}::text[])` : sql``}
  ${which.userIds ? sql`and user_id = any(${which.userIds}::bigint[])` : sql``}
  ${which.actorIds ? sql`and actor_id = any(${which.actorIds}::bigint[])` : sql``}
  ${which.byOthers ? sql`and actor_id <> user_id` : sql``}
  ${which.unread ? sql`and ${unread} and read_subject_id is null` : sql``}
  ${which.single ? sql`and count = 1` : sql``}`

/** One user's position in an event's announcements. */
export type Seen = { userId: number; eventId: number; subjectIdMax: number }

/** Users who have seen the subject of such notifications without having read them yet. */
export const notifiedAmong = async (
  db: Db,
  kinds: readonly NotificationKind[],
  all: readonly Seen[],
): Promise<readonly Seen[]> => {
  const { rows } = await sql<{ n: number }>`
    select n from unnest(${all.map(seen => seen.userId)}::bigint[], ${all.map(seen => seen.eventId)}::bigint[],
      ${all.map(seen => seen.subjectIdMax)}::bigint[]) with ordinality as seen (user_id, event_id, subject_id_max, n)
    where exists (select from notifications t where t.user_id = seen.user_id and ${unread}
      and t.kind = any(${kinds}::text[]) and ${notByIndex(sql`t.event_id`)} = seen.event_id
      and coalesce(t.subject_id, 0) <= seen.subject_id_max)`.execute(db)
  return rows.map(({ n }) => all[n - 1] as Seen)
}

/** Marks the user's matching unread notifications as read; returns their IDs. Locked in the order of saving. */
export const markRead = async (tx: Transaction, userId: number, which: Which): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with chosen as (select id from notifications where ${unread} and ${meets({ ...which, userIds: [userId] })}
      order by tag for update)
    update notifications set read_at = now(), ring_at = null from chosen where notifications.id = chosen.id
    returning notifications.id`.execute(tx)
  return rows.map(row => row.id)
}

/** In the order in which all lock them. */
const lockedWhere = (condition: RawBuilder<unknown>) => sql`
  with chosen as (select id from notifications where ${condition} order by user_id, tag, id for update)`

export type Withdrawn = { id: number; user_id: number; was_unread: boolean }

/**
 * Withdraws matching notifications, read or unread, with all their text, which names an event or a person. The reason
 * remains for the trace. Returns them.
 */
export const markWithdrawn = async (tx: Transaction, which: Which, reason: Reason): Promise<Withdrawn[]> => {
  const { rows } = await sql<Withdrawn>`
    ${lockedWhere(sql`withdrawn_at is null and ${meets(which)}`)}
    update notifications set withdrawn_at = now(), ring_at = null, title = '', body = '', text_values = null,
      reasons = reasons || ${jsonb([reason])}
    from chosen where notifications.id = chosen.id
    returning notifications.id, user_id, read_at is null as was_unread`.execute(tx)
  return rows
}

export type Gone = NonNullable<TextValues['gone']>

/** For bursts, withdraws only the newest part, and says what became of it. */
export const withdrawNewest = (tx: Transaction, which: Which, gone: Gone) =>
  sql`${lockedWhere(sql`withdrawn_at is null and ${meets(which)} and count > 1`)}
    update notifications n set count = count - 1, body = '', text_values = text_values - 'text' || ${jsonb({ gone })},
      subject_id = null, updated_at = clock_timestamp()
    from chosen where n.id = chosen.id`.execute(tx)

/** For bursts, removes one part by this person; the others' authors are no longer named. */
export const takeFromBursts = (tx: Transaction, which: Which, actorId: number) =>
  sql`${lockedWhere(sql`${meets(which)} and count > 1`)}
    update notifications n set count = count - 1, updated_at = clock_timestamp(),
      text_values = case when actor_id = ${actorId} then coalesce(text_values, '{}') - 'actor' else text_values end
    from chosen where n.id = chosen.id`.execute(tx)

export const rewriteRows = (tx: Transaction, which: Which, text: string) =>
  sql`${lockedWhere(sql`withdrawn_at is null and ${meets(which)}`)}
    update notifications n set body = case when n.text_values is null then ${text} end,
      text_values = n.text_values || ${jsonb({ text })}
    from chosen where n.id = chosen.id`.execute(tx)
