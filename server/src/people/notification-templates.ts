import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { fewMay } from '../events/standing-sql.ts'
import { nameToRing } from '../notifications/excerpt.ts'
import type { NoticeTemplates } from '../notifications/notices.ts'

/** Requests that are still open, and remain so until the transaction ends. */
export const peopleNoticing: NoticeTemplates = {
  'friend.requested': async (tx, changes) => {
    const { rows } = await sql<{ id: number; actor_id: number; user_id: number; actor: string }>`
      select c.id, c.actor_id, c.user_id, concat_ws(' ', a.first_name, nullif(a.last_name, '')) as actor
      from changes c join friend_requests r on r.asker_id = c.actor_id and r.asked_id = c.user_id
        join users a on a.id = c.actor_id
      where c.id = any(${changes.map(change => change.id)}::bigint[])
      order by r.asker_id, r.asked_id for share of r`.execute(tx)
    return new Map(
      rows.map(({ id, actor_id, user_id, actor }) => [
        id,
        [
          {
            kind: 'friend_request',
            to: [user_id],
            values: { actor: nameToRing(actor) },
            link: '/friends',
            eventId: null,
            subjectId: actor_id,
            tag: `friend_request:${actor_id}`,
            reason: reasons.befriended,
          },
        ],
      ]),
    )
  },

  /**
   * Organizers are told what was reported in their event, operators everything, but nobody about themselves, and not by
   * whom. A block between reporter and organizer must not keep a report from its judge.
   */
  'report.made': async (tx, changes) => {
    const { rows } = await sql<{
      id: number
      event_id: number | null
      event: string | null
      type: 'user' | 'event' | 'message' | 'photo' | 'comment'
      report_id: number
      organizers: number[]
      operators: number[]
    }>`
      with operators as materialized (select id from users where operator and status not in (3, 4))
      select c.id, e.id as event_id, e.name as event, r.type, r.id as report_id, array(
          select g.user_id::float8 from members g where g.event_id = e.id and ${fewMay(sql`g.role`, 'moderate')}
            and g.user_id is distinct from r.about_user_id) as organizers, array(
          select o.id::float8 from operators o where o.id is distinct from r.about_user_id) as operators
      from changes c join reports r on r.id = c.subject_id and r.status = 'open'
        left join events e on e.id = c.event_id and e.deleted_at is null
      where c.id = any(${changes.map(change => change.id)}::bigint[]) for share of r`.execute(tx)
    return new Map(
      rows.map(({ id, event_id, event, type, report_id, organizers, operators }) => {
        const said = {
          kind: 'report',
          subjectId: report_id,
        } as const
        const ofEvent = event_id !== null && {
          ...said,
          to: organizers,
          values: { event: event ?? '', reported: type },
          link: `/events/${event_id}/reports`,
          eventId: event_id,
          tag: `reports:${event_id}`,
          reason: reasons.organizer,
          despiteBlocks: true as const,
        }
        const ofInstance = {
          ...said,
          to: operators,
          values: { reported: type },
          link: '/reports',
          eventId: null,
          tag: 'reports',
          reason: reasons.operator,
          despiteBlocks: true as const,
        }
        return [id, ofEvent ? [ofEvent, ofInstance] : [ofInstance]]
      }),
    )
  },
}
