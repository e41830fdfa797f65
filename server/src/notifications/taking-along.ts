import { type Reason, say } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { type Chapter, inPieces } from '../platform/chapters.ts'

type Told = { id: number; reasons: Reason[]; deliveries: { reasons: Reason[] }[] }

/** What one was told, with the way that it took to each device. */
export const notificationChapters: Chapter[] = [
  {
    name: 'notifications',
    tables: ['notifications', 'deliveries'],
    rows: (db, userId) =>
      inPieces(async (after, most) => {
        const { rows } = await sql<Told>`
          select n.id, n.kind, n.title, n.body, n.link, n.count, n.reasons, n.created_at, n.read_at, n.withdrawn_at,
            (select coalesce(json_agg(json_build_object('device_id', d.device_id, 'way', d.way, 'state', d.state,
              'reasons', d.reasons, 'at', d.updated_at)), '[]') from deliveries d where d.notification_id = n.id) as deliveries
          from notifications n where n.user_id = ${userId} and n.id > ${after} order by n.id limit ${most}`.execute(db)
        return rows.map(({ reasons, deliveries, ...row }) => ({
          ...row,
          reason: say(reasons),
          deliveries: deliveries.map(({ reasons, ...delivery }) => ({ ...delivery, reason: say(reasons) })),
        }))
      }),
  },
]
