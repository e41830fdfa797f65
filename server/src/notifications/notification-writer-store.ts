import { type Reason, reasons } from '@afterglow/contract/reasons'
import { type RawBuilder, sql } from 'kysely'
import type { ChangeRow } from '../log/announce.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { throughMutes } from './delivery/ring-budget.ts'
import type { Notice, NotificationKind } from './notices.ts'
import { jsonb, type NotificationRow, unread } from './notifications-store.ts'

/* From changes to notifications. */

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
  'photos_wanted',
  'recap',
]

/** Unread changes to an event are combined with the current ones. */
const changedParts = sql`
  case when n.text_values ? 'changed' and excluded.text_values ? 'changed' then jsonb_build_object('changed',
    (select jsonb_agg(distinct part) from jsonb_array_elements((n.text_values -> 'changed') || (excluded.text_values -> 'changed')) part))
  else '{}' end`

/** Additions to an unread announcement do not ring again. */
const ringsOnce = sql`excluded.kind = 'announcement'`

/**
 * A ring that is put off waits for the shares of those who acted until then. Somebody else has a share of their own, so
 * it is decided anew: who has used up theirs must not keep another's mention for an hour. Otherwise a ring is pending
 * for a shorter time.
 */
const decidedAnew = (ringAgainMs: number) => sql`
  (n.ring_at > now() + make_interval(secs => ${ringAgainMs / 1000}) and not excluded.ring_by <@ n.ring_by)`

/** It tells how many there are now, not how many more. */
const countsAll = sql`excluded.kind = 'photos_waiting'`

const untilReason = (code: string, at: RawBuilder<unknown>) => sql`jsonb_build_object('code', ${code}::text,
  'at', to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** One notice for one user, standing for `count` changes of a batch. `by`: whose acts may ring. */
export type UserNotice = { notice: number; userId: number; count: number; silenced: Reason | null; by: Set<number> }
export type NoticeBatch = {
  notices: readonly (Notice & { actorId: number | null })[]
  told: readonly UserNotice[]
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
export const saveNotifications = async (tx: Transaction, { notices, told, changeId, ringAgainMs }: NoticeBatch) => {
  // For a burst, only the newest is shown.
  const named = new Set(told.map(one => one.notice))
  const texts = notices.flatMap((notice, at) =>
    named.has(at) ? { ...notice, to: undefined, silenced: undefined, at } : [],
  )
  const anew = decidedAnew(ringAgainMs)
  const { rows } = await sql<{ id: number; due: boolean }>`
    with saved as (insert into notifications as n
      (user_id, kind, actor_id, event_id, subject_id, tag, text_values, link, count, reasons, ring_at, ring_change_id, ring_by, updated_at)
    select u.id, t.kind, coalesce(t."actorId", u.id), t."eventId", t."subjectId", t.tag, t.values, t.link, told.count,
      jsonb_build_array(t.reason) || case when silence.why is null then '[]' when silence.broken
        then ${jsonb([reasons.throughMutes])} else jsonb_build_array(silence.why) end,
      case when silence.why is null or silence.broken then now() end,
      case when silence.why is null or silence.broken then ${changeId}::bigint end,
      case when silence.why is null or silence.broken then array(select jsonb_array_elements_text(told.acted)::bigint) else '{}' end,
      clock.now + t.at * interval '1 microsecond'
    from (select clock_timestamp() as now) clock cross join unnest(${told.map(one => one.notice)}::int[], ${told.map(one => one.userId)}::bigint[],
        ${told.map(one => one.count)}::int[], ${told.map(one => one.silenced && JSON.stringify(one.silenced))}::jsonb[],
        ${told.map(one => JSON.stringify([...one.by]))}::jsonb[]) told (at, user_id, count, silenced, acted)
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
      count = case when ${ringsOnce} then n.count when ${countsAll} then excluded.count
        else n.count + excluded.count end,
      updated_at = excluded.updated_at,
      ring_change_id = case when excluded.ring_at is not null and (n.ring_at is null or ${anew}) and not ${ringsOnce}
        then excluded.ring_change_id else n.ring_change_id end,
      ring_by = case when excluded.ring_at is null or ${ringsOnce} then n.ring_by
        else array(select distinct unnest(n.ring_by || excluded.ring_by)) end,
      ring_at = case when excluded.ring_at is null or ${ringsOnce} then n.ring_at when ${anew} then now()
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
