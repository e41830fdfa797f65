import { type Reason, reasons } from '@afterglow/contract/reasons'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ChangeRow } from '../log/announce.ts'
import { type Db, notByIndex, type Transaction } from '../platform/database/database.ts'
import type { Notifications } from '../platform/database/schema.ts'
import { throughMutes } from './delivery/ring-budget.ts'
import type { Notice, NotificationKind } from './notices.ts'
import type { TextValues } from './texts.ts'

export type NotificationRow = Omit<Selectable<Notifications>, 'reasons'> & { reasons: readonly Reason[] }

/** A JSON value as PostgreSQL stores it. */
export const jsonb = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`

export const unread = sql`read_at is null and withdrawn_at is null`

// ---- from changes to notifications ----

/**
 * A change never tried is due whatever the clock says: setting the clock back by an hour would delay it for an hour.
 */
const due = sql`(tries = 0 or due_at <= now())`

/** Takes changes that nobody has turned into notifications yet; a concurrent process gets others. */
export const takeUnnotified = async (tx: Transaction, most: number): Promise<ChangeRow[]> => {
  const { rows } = await sql<ChangeRow>`
    with taken as (
      delete from unnotified_changes where change_id in (
        select change_id from unnotified_changes where ${due}
        order by change_id limit ${most} for update skip locked)
      returning change_id)
    select c.* from taken join changes c on c.id = taken.change_id order by c.id`.execute(tx)
  return rows
}

/** Postpones the next change in line, the one that failed, longer each time and at most an hour. Returns its ID. */
export const putOffNext = async (db: Db): Promise<number | undefined> => {
  const { rows } = await sql<{ change_id: number }>`
    update unnotified_changes set tries = tries + 1, due_at = now() + least(power(2, tries), 3600) * interval '1 second'
    where change_id = (select change_id from unnotified_changes where ${due}
      order by change_id limit 1 for update skip locked)
    returning change_id`.execute(db)
  return rows[0]?.change_id
}

/** The text for nobody in particular. */
const forEverybody: readonly NotificationKind[] = [
  'message',
  'message_pinned',
  'photos_added',
  'photos_revealed',
  'recap',
]

/** Unread changes to an event are combined with the current ones. */
const changedParts = sql`
  case when n.text_values ? 'changed' and excluded.text_values ? 'changed' then jsonb_build_object('changed',
    (select jsonb_agg(distinct part) from jsonb_array_elements((n.text_values -> 'changed') || (excluded.text_values -> 'changed')) part))
  else '{}' end`

/** Additions to an unread announcement do not ring again. */
const ringsOnce = sql`excluded.kind = 'announcement'`

const untilReason = (code: string, at: RawBuilder<unknown>) => sql`jsonb_build_object('code', ${code}::text,
  'at', to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** One notice for one user, standing for `count` changes of a batch. */
export type Told = { notice: number; userId: number; count: number; silenced: Reason | null }
export type Saving = {
  notices: readonly (Notice & { actorId: number | null })[]
  told: readonly Told[]
  /** The newest change of the batch: its job rings whatever becomes due by it. */
  changeId: number
  /** The minimum time between two rings of a notification. */
  ringAgainMs: number
}

/**
 * One statement for any number of people: a new notification rings at once; an unread one takes the newer text and
 * rings again later, once. Returns what rings because of this change, now or later. Rows are locked in the same order
 * for all, and dated in the order of the acts, a microsecond apart.
 */
export const saveNotifications = async (tx: Transaction, { notices, told, changeId, ringAgainMs }: Saving) => {
  // For a burst, only the newest is shown.
  const named = new Set(told.map(one => one.notice))
  const texts = notices.flatMap((notice, at) =>
    named.has(at) ? { ...notice, to: undefined, silenced: undefined, at } : [],
  )
  const { rows } = await sql<{ id: number; due: boolean }>`
    with saved as (insert into notifications as n
      (user_id, kind, actor_id, event_id, subject_id, tag, text_values, link, count, reasons, ring_at, ring_change_id, updated_at)
    select u.id, t.kind, coalesce(t."actorId", u.id), t."eventId", t."subjectId", t.tag, t.values, t.link, told.count,
      jsonb_build_array(t.reason) || case when silence.why is null then '[]' when silence.broken
        then ${jsonb([reasons.throughMutes])} else jsonb_build_array(silence.why) end,
      case when silence.why is null or silence.broken then now() end,
      case when silence.why is null or silence.broken then ${changeId}::bigint end,
      clock.now + t.at * interval '1 microsecond'
    from (select clock_timestamp() as now) clock cross join unnest(${told.map(one => one.notice)}::int[], ${told.map(one => one.userId)}::bigint[],
        ${told.map(one => one.count)}::int[], ${told.map(one => one.silenced && JSON.stringify(one.silenced))}::jsonb[]) told (at, user_id, count, silenced)
      join jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) t (at int, kind text, "actorId" bigint, "eventId" bigint,
        "subjectId" bigint, tag text, values jsonb, link text, reason jsonb) on t.at = told.at
      join users u on u.id = told.user_id and u.status not in (3, 4)
      left join notification_settings s on s.user_id = u.id
      left join event_notification_settings e on e.user_id = u.id and e.event_id = t."eventId"
      cross join lateral (select coalesce(told.silenced,
        case when u.mutes_notifications then ${jsonb(reasons.allMuted)}
          when s.muted_until > now() then ${untilReason('mutedUntil', sql`s.muted_until`)}
          when e.muted_until > now() then ${untilReason('eventMutedUntil', sql`e.muted_until`)}
          when e.level = 'nothing' then ${jsonb(reasons.nothingOfEvent)}
          when e.level = 'for_me' and t.kind = any(${forEverybody}::text[]) then ${jsonb(reasons.forMeOnly)}
          end) as why, t.kind = any(${throughMutes}::text[]) as broken) silence
    order by u.id, t.tag
    on conflict (user_id, tag) where ${unread} do update set
      kind = excluded.kind, actor_id = excluded.actor_id, subject_id = excluded.subject_id, title = null, body = null,
      text_values = excluded.text_values || ${changedParts}, link = excluded.link, reasons = excluded.reasons,
      count = case when ${ringsOnce} then n.count else n.count + excluded.count end,
      updated_at = excluded.updated_at,
      ring_change_id = case when excluded.ring_at is not null and n.ring_at is null and not ${ringsOnce}
        then excluded.ring_change_id else n.ring_change_id end,
      ring_at = case when excluded.ring_at is null or ${ringsOnce} then n.ring_at
        else coalesce(n.ring_at, greatest(now(), n.rung_at + make_interval(secs => ${ringAgainMs / 1000}))) end
    returning n.id, n.ring_at, n.ring_change_id)
    select id, ring_at <= now() as due from saved where ring_change_id = ${changeId} and ring_at is not null`.execute(
    tx,
  )
  return rows
}

type Test = Pick<NotificationRow, 'tag' | 'link' | 'reasons'>

/** A requested test: it rings without a change. */
export const saveTest = async (tx: Transaction, userId: number, { tag, link, reasons }: Test) => {
  const { rows } = await sql<NotificationRow>`
    insert into notifications as n (user_id, kind, actor_id, tag, text_values, link, reasons)
    values (${userId}, 'test', ${userId}, ${tag}, '{}', ${link}, ${jsonb(reasons)})
    on conflict (user_id, tag) where ${unread} do update set count = n.count + 1, updated_at = clock_timestamp()
    returning *`.execute(tx)
  return rows[0] as NotificationRow
}

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

/** What one user has seen of what an event announced. */
export type Seen = { userId: number; eventId: number; subjectIdMax: number }

/** Those who have seen the subject of notifications of these kinds without having read them yet. */
export const toldAmong = async (
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

export const retellRows = (tx: Transaction, which: Which, text: string) =>
  sql`${lockedWhere(sql`withdrawn_at is null and ${meets(which)}`)}
    update notifications n set body = case when n.text_values is null then ${text} end,
      text_values = n.text_values || ${jsonb({ text })}
    from chosen where n.id = chosen.id`.execute(tx)
