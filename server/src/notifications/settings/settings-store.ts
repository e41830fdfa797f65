import type { NotificationLevel } from '@afterglow/contract/notifications/notification-settings'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'

export type Settings = {
  muted_until: Date | null
  quiet_from: number | null
  quiet_until: number | null
  rings_per_hour: number | null
  mails_digest: boolean
}

export const readSettings = async (db: Db, userId: number): Promise<Settings> =>
  (
    await sql<Settings>`
      select case when muted_until > now() then muted_until end as muted_until, quiet_from, quiet_until, rings_per_hour,
        mails_digest
      from notification_settings where user_id = ${userId}`.execute(db)
  ).rows[0] ?? { muted_until: null, quiet_from: null, quiet_until: null, rings_per_hour: null, mails_digest: true }

/** If the digest is not mentioned, it stays unchanged. */
export const saveSettings = (
  tx: Transaction,
  userId: number,
  of: Omit<Settings, 'mails_digest'> & { mails_digest: boolean | undefined },
) =>
  sql`
    insert into notification_settings (user_id, muted_until, quiet_from, quiet_until, rings_per_hour, mails_digest)
    values (${userId}, ${of.muted_until}, ${of.quiet_from}, ${of.quiet_until}, ${of.rings_per_hour}, ${of.mails_digest ?? true})
    on conflict (user_id) do update set muted_until = excluded.muted_until, quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until, rings_per_hour = excluded.rings_per_hour,
      mails_digest = coalesce(${of.mails_digest ?? null}::boolean, notification_settings.mails_digest)`.execute(tx)

export type EventSettings = { level: NotificationLevel; muted_until: Date | null; photos_at_once: boolean }

export const readEventSettings = async (db: Db, userId: number, eventId: number): Promise<EventSettings> =>
  (
    await sql<EventSettings>`
      select level, case when muted_until > now() then muted_until end as muted_until,
        photos_at_once_since is not null as photos_at_once
      from event_notification_settings where user_id = ${userId} and event_id = ${eventId}`.execute(db)
  ).rows[0] ?? { level: 'everything', muted_until: null, photos_at_once: false }

export type EventSettingsChange = {
  level: NotificationLevel
  mutedUntil: Date | undefined
  photosAtOnce: boolean | undefined
}

export const saveEventSettings = (db: Db, userId: number, eventId: number, of: EventSettingsChange) =>
  sql`
    insert into event_notification_settings (user_id, event_id, level, muted_until, photos_at_once_since)
    values (${userId}, ${eventId}, ${of.level}, ${of.mutedUntil ?? null}, case when ${of.photosAtOnce ?? false} then now() end)
    on conflict (user_id, event_id) do update set level = excluded.level, muted_until = excluded.muted_until,
      photos_at_once_since = case when ${of.photosAtOnce ?? false}
        then coalesce(event_notification_settings.photos_at_once_since, now()) end`.execute(db)

/** Somebody's devices that are holding notifications until their quiet hours end. */
export const holdingDevices = async (db: Db, userId: number): Promise<number[]> => {
  const { rows } = await sql<{ device_row: number }>`
    select distinct d.device_row from deliveries d join devices v on v.id = d.device_row
    where v.user_id = ${userId} and d.state = 'held'`.execute(db)
  return rows.map(({ device_row }) => device_row)
}

export const isFuture = async (db: Db, at: Date): Promise<boolean> =>
  (await sql<{ future: boolean }>`select ${at}::timestamptz > now() as future`.execute(db)).rows[0]?.future ?? false
