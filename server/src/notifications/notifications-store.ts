import { type Reason, reasons } from '@afterglow/contract/reasons'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Transaction } from '../platform/database.ts'
import type { Notifications } from '../platform/schema.ts'
import type { ChangeRow } from './announcing.ts'
import type { Notice } from './notices.ts'

export type NotificationRow = Omit<Selectable<Notifications>, 'reasons'> & { reasons: readonly Reason[] }

/** A value of JSON as PostgreSQL stores it. */
export const jsonb = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`

export const unread = sql`read_at is null and withdrawn_at is null`

// ---- from changes to notifications ----

/** Takes changes that nobody has turned into notifications yet; another process that does the same gets others. */
export const takeUnnotified = async (tx: Transaction, most: number): Promise<ChangeRow[]> => {
  const { rows } = await sql<ChangeRow>`
    with taken as (
      delete from unnotified_changes where change_id in (
        select change_id from unnotified_changes where due_at <= now()
        order by change_id limit ${most} for update skip locked)
      returning change_id)
    select c.* from taken join changes c on c.id = taken.change_id order by c.id`.execute(tx)
  return rows
}

/** Puts off the next change in line, the one that failed, longer each time and at most an hour. Returns its id. */
export const putOffNext = async (db: Db): Promise<number | undefined> => {
  const { rows } = await sql<{ change_id: number }>`
    update unnotified_changes set tries = tries + 1, due_at = now() + least(power(2, tries), 3600) * interval '1 second'
    where change_id = (select change_id from unnotified_changes where due_at <= now()
      order by change_id limit 1 for update skip locked)
    returning change_id`.execute(db)
  return rows[0]?.change_id
}

/** One notice for one user, standing for `count` changes of a batch. */
export type Told = { notice: number; userId: number; count: number; silenced: Reason | null }
export type Saving = {
  notices: readonly (Notice & { actorId: number })[]
  told: readonly Told[]
  /** The newest change of the batch: its job rings what becomes due by it. */
  changeId: number
  /** A notification rings again at the earliest this long after its last ring. */
  ringAgainMs: number
}

/**
 * One statement for any number of people: a new notification rings at once; one that is unread still takes the newer text
 * and rings again later, once. Returns what rings by this change, now or later. Rows are locked in one order for all.
 */
export const saveNotifications = async (tx: Transaction, { notices, told, changeId, ringAgainMs }: Saving) => {
  // Of a burst only the newest is told.
  const named = new Set(told.map(one => one.notice))
  const texts = notices.flatMap((notice, at) =>
    named.has(at) ? { ...notice, to: undefined, silenced: undefined, at } : [],
  )
  const { rows } = await sql<{ id: number; due: boolean }>`
    with saved as (insert into notifications as n
      (user_id, kind, actor_id, event_id, subject_id, tag, title, body, link, count, reasons, ring_at, ring_change_id)
    select u.id, t.kind, t."actorId", t."eventId", t."subjectId", t.tag, t.title, t.body, t.link, told.count,
      jsonb_build_array(t.reason) || case when silence.why is null then '[]' else jsonb_build_array(silence.why) end,
      case when silence.why is null then now() end,
      case when silence.why is null then ${changeId}::bigint end
    from unnest(${told.map(one => one.notice)}::int[], ${told.map(one => one.userId)}::bigint[],
        ${told.map(one => one.count)}::int[], ${told.map(one => one.silenced && JSON.stringify(one.silenced))}::jsonb[]) told (at, user_id, count, silenced)
      join jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) t (at int, kind text, "actorId" bigint, "eventId" bigint,
        "subjectId" bigint, tag text, title text, body text, link text, reason jsonb) on t.at = told.at
      join users u on u.id = told.user_id and u.status not in (3, 4)
      cross join lateral (select coalesce(told.silenced,
        case when u.mutes_notifications then ${jsonb(reasons.allMuted)} end) as why) silence
    order by u.id, t.tag
    on conflict (user_id, tag) where ${unread} do update set
      kind = excluded.kind, actor_id = excluded.actor_id, subject_id = excluded.subject_id, title = excluded.title,
      body = excluded.body, link = excluded.link, reasons = excluded.reasons, count = n.count + excluded.count,
      updated_at = clock_timestamp(),
      ring_change_id = case when excluded.ring_at is not null and n.ring_at is null
        then excluded.ring_change_id else n.ring_change_id end,
      ring_at = case when excluded.ring_at is null then n.ring_at
        else coalesce(n.ring_at, greatest(now(), n.rung_at + make_interval(secs => ${ringAgainMs / 1000}))) end
    returning n.id, n.ring_at, n.ring_change_id)
    select id, ring_at <= now() as due from saved where ring_change_id = ${changeId} and ring_at is not null`.execute(
    tx,
  )
  return rows
}

type Test = Pick<NotificationRow, 'tag' | 'title' | 'body' | 'link' | 'reasons'>

/** A test that somebody asked for: it rings by no change. */
export const saveTest = async (tx: Transaction, userId: number, { tag, title, body, link, reasons }: Test) => {
  const { rows } = await sql<NotificationRow>`
    insert into notifications as n (user_id, kind, actor_id, tag, title, body, link, reasons)
    values (${userId}, 'test', ${userId}, ${tag}, ${title}, ${body}, ${link}, ${jsonb(reasons)})
    on conflict (user_id, tag) where ${unread} do update set count = n.count + 1, updated_at = clock_timestamp()
    returning *`.execute(tx)
  return rows[0] as NotificationRow
}

// ---- lists ----

export const listNotifications = async (
  db: Db,
  userId: number,
  { offset, limit }: { offset: number; limit: number },
) => {
  const { rows } = await sql<NotificationRow>`
    select * from notifications where user_id = ${userId} and withdrawn_at is null
    order by updated_at desc, id desc offset ${offset} limit ${limit}`.execute(db)
  return rows
}

export const countUnread = async (db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await sql<{ user_id: number; count: number }>`
    select user_id, count(*) from notifications where user_id = any(${userIds}::bigint[]) and ${unread}
    group by user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.count]))
}

/** A user's own notification; a withdrawn one only where asked for. */
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

/** Marks as read what of the user's is unread and meets the condition; returns which. Locked in the order of saving. */
export const markRead = async (tx: Transaction, userId: number, condition: RawBuilder<unknown>): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with chosen as (select id from notifications where user_id = ${userId} and ${unread} and ${condition}
      order by tag for update)
    update notifications set read_at = now(), ring_at = null from chosen where notifications.id = chosen.id
    returning notifications.id`.execute(tx)
  return rows.map(row => row.id)
}

export type Withdrawn = { id: number; user_id: number; was_unread: boolean }

/**
 * Takes back what meets the condition, read or not, with all its words: the title names an event or a person. The reason
 * stays for the trace. Returns it.
 */
export const markWithdrawn = async (
  tx: Transaction,
  condition: RawBuilder<unknown>,
  reason: Reason,
): Promise<Withdrawn[]> => {
  const { rows } = await sql<Withdrawn>`
    with chosen as (select id from notifications where withdrawn_at is null and ${condition}
      order by user_id, tag, id for update)
    update notifications set withdrawn_at = now(), ring_at = null, title = '', body = '',
      reasons = reasons || ${jsonb([reason])}
    from chosen where notifications.id = chosen.id
    returning notifications.id, user_id, read_at is null as was_unread`.execute(tx)
  return rows
}
