import { userStatus } from '@afterglow/contract/accounts/user'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { unread } from '../notifications-store.ts'
import type { NotificationContent } from '../texts.ts'

/*
 * Missed notifications: unread, sent since the user was last here and since the last digest, and not muted by
 * themselves.
 */

/** How long somebody must be away to get a digest, and the minimum interval between two. */
const awayHours = 24
const apartHours = 20

const silencedByThemselves = ['chatMuted', 'allMuted', 'mutedUntil', 'eventMutedUntil', 'nothingOfEvent', 'forMeOnly']

const lastHere = sql`(select max(d.last_used_at) from devices d where d.user_id = u.id)`

/** The earliest unread notification of somebody who is away and wants mail. */
const missing = sql`
  select u.id as user_id, u.email, u.first_name, u.timezone,
    ${lastHere} as here, greatest(${lastHere}, g.told_up_to, now() - interval '7 days') as since
  from users u left join mail_digests g on g.user_id = u.id left join notification_settings s on s.user_id = u.id
  where u.status = ${sql.lit(userStatus.active)} and u.email !~* '\\.invalid$' and s.mails_digest is not false
    and coalesce(${lastHere} < now() - make_interval(hours => ${sql.lit(awayHours)}), true)`

const missedOf = sql`
  n.user_id = m.user_id and ${unread} and n.updated_at > m.since and n.kind <> 'test'
    and not exists (select from jsonb_array_elements(n.reasons) r
      where r ->> 'code' = any(${silencedByThemselves}::text[]))`

const notToldLately = sql`told_at <= now() - make_interval(hours => ${sql.lit(apartHours)})`

/** Users who are due a digest, with their time zone, in pages of ascending IDs. */
export const dueDigests = async (db: Db, afterId: number, most: number) => {
  const { rows } = await sql<{ user_id: number; timezone: string }>`
    select m.user_id, m.timezone from (${missing} and u.id > ${afterId} and (g.told_at is null or ${notToldLately})) m
    where exists (select from notifications n where ${missedOf})
    order by m.user_id limit ${most}`.execute(db)
  return rows
}

/** False if another process, or an earlier run, has taken it. */
export const takeDigest = async (tx: Transaction, userId: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into mail_digests (user_id, since, told_up_to, told_at)
    select m.user_id, m.since, now(), now() from (${missing} and u.id = ${userId}) m
    on conflict (user_id) do update set since = excluded.since, told_up_to = excluded.told_up_to,
      told_at = excluded.told_at, sent_at = null where mail_digests.${notToldLately}`.execute(tx)
  return numAffectedRows === 1n
}

/** It counts as sent from now on; false if it already did. */
export const markSent = async (db: Db, userId: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update mail_digests set sent_at = now() where user_id = ${userId} and sent_at is null`.execute(db)
  return numAffectedRows === 1n
}

/** The mail server did not accept it. */
export const markUnsent = (db: Db, userId: number) =>
  sql`update mail_digests set sent_at = null where user_id = ${userId}`.execute(db)

export type Missed = NotificationContent & { actor_id: number; total: number; email: string; first_name: string }

/**
 * The newest items of a digest that was taken; nothing for somebody who is back, has read them, or wants no more
 * digests.
 */
export const readMissed = async (db: Db, userId: number, most: number): Promise<Missed[]> => {
  const { rows } = await sql<Missed>`
    select n.kind, n.count, n.text_values, n.title, n.body, n.actor_id, count(*) over () as total, m.email, m.first_name
    from (select m.user_id, m.email, m.first_name, greatest(g.since, m.here) as since
      from (${missing} and u.id = ${userId}) m join mail_digests g on g.user_id = m.user_id) m
    join notifications n on ${missedOf}
    order by n.updated_at desc, n.id desc limit ${most}`.execute(db)
  return rows
}

/** No digests until they want them again. No effect for a user who no longer exists. */
export const endDigests = (db: Db, userId: number) =>
  sql`
    insert into notification_settings (user_id, mails_digest) select id, false from users
      where id = ${userId} and erased_at is null
    on conflict (user_id) do update set mails_digest = false`.execute(db)
