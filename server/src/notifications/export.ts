import type { Reason } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { allRows } from '../platform/database/rows.ts'
import { type ExportPart, inPieces } from '../platform/export/export-part.ts'
import { sayReasons } from '../words/reasons.ts'
import { readerByAccount } from './readers-store.ts'
import { type NotificationContent, textOf } from './texts.ts'

type Row = NotificationContent & { id: number; reasons: Reason[]; deliveries: { reasons: Reason[] }[] }

/** A person's notifications, with their delivery to each device. */
export const notificationExport: ExportPart[] = [
  {
    name: 'notification_settings',
    tables: ['notification_settings', 'event_notification_settings', 'ring_budgets', 'mail_digests'],
    rows: (db, userId) => allRows<object>(db)`
        select null as event_id, null as level, muted_until, quiet_from, quiet_until, rings_per_hour,
          mails_digest, (select sent_at from mail_digests d where d.user_id = s.user_id) as digest_sent_at
        from notification_settings s where user_id = ${userId}
        union all
        select event_id, level, muted_until, null, null, null, null, null
        from event_notification_settings where user_id = ${userId}`,
  },
  {
    name: 'notifications',
    tables: ['notifications', 'deliveries'],
    rows: (db, userId) =>
      inPieces(async (after, most) => {
        const { rows } = await sql<Row>`
          select n.id, n.kind, n.title, n.body, n.text_values, n.link, n.count, n.reasons, n.created_at, n.read_at, n.withdrawn_at,
            (select coalesce(json_agg(json_build_object('device_id', d.device_id, 'way', d.way, 'state', d.state,
              'reasons', d.reasons, 'at', d.updated_at)), '[]') from deliveries d where d.notification_id = n.id) as deliveries
          from notifications n where n.user_id = ${userId} and n.id > ${after} order by n.id limit ${most}`.execute(db)
        const reader = await readerByAccount(db, userId)
        const why = (reasons: Reason[]) => sayReasons(reader.language, reasons, reader.timezone)
        return rows.map(({ reasons, deliveries, text_values, ...row }) => ({
          ...row,
          ...textOf({ ...row, text_values }, reader),
          reason: why(reasons),
          deliveries: deliveries.map(({ reasons, ...delivery }) => ({ ...delivery, reason: why(reasons) })),
        }))
      }),
  },
]
