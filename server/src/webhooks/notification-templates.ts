import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { fewMay } from '../events/standing-sql.ts'
import type { NoticeTemplates } from '../notifications/notices.ts'

type Ended = {
  id: number
  webhook_id: number
  forsaken: boolean
  event_id: number | null
  event: string | null
  to: number[]
}

export const webhookNoticing: NoticeTemplates = {
  /** Organizers are notified about those of their event, operators about those of the service. */
  'webhook.ended': async (tx, changes) => {
    const { rows } = await sql<Ended>`
      select c.id, w.id as webhook_id, w.url = '' as forsaken, e.id as event_id, e.name as event, case when w.event_id is null
        then array(select id::float8 from users where operator and status not in (3, 4))
        else array(select g.user_id::float8 from members g
          where g.event_id = e.id and ${fewMay(sql`g.role`, 'manage')}) end as to
      from changes c join webhooks w on w.id = c.subject_id and w.status = 'off'
        left join events e on e.id = w.event_id and e.deleted_at is null
      where c.id = any(${changes.map(change => change.id)}::bigint[]) order by w.id for share of w`.execute(tx)
    return new Map(
      rows.map(({ id, webhook_id, forsaken, event_id, event, to }) => [
        id,
        [
          {
            kind: 'webhook_off',
            to,
            values: { ...(event !== null && { event }), ...(forsaken && { forsaken }) },
            link: event_id === null ? '/' : `/events/${event_id}`,
            eventId: event_id,
            subjectId: webhook_id,
            tag: `webhook_off:${webhook_id}`,
            reason: event_id === null ? reasons.operator : reasons.organizer,
            despiteBlocks: true,
          },
        ],
      ]),
    )
  },
}
