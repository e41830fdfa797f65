import type { Role } from '@afterglow/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { allRows } from '../../platform/database/rows.ts'
import { isCandidate } from '../returns/return-requests-store.ts'
import { isExtraordinary } from '../standing-sql.ts'
import type { Waiting, WaitingCounts, WaitingKind } from './waiting.ts'

/* The SQL of what waits for the organizers of events. */

/** The events that somebody has a part in organizing. */
export const organizedBy = (db: Db, userId: number) => allRows<{ id: number; name: string; standing: Role }>(db)`
    select e.id, e.name, m.role as standing from members m join events e on e.id = m.event_id and e.deleted_at is null
    where m.user_id = ${userId} and ${isExtraordinary(sql`m.role`)} order by e.id`

const countOf = (table: 'join_requests' | 'return_requests') => (eventIds: readonly number[]) => {
  const open =
    table === 'join_requests'
      ? sql``
      : sql`and expires_at > now() and exists (select from members m join users u on u.id = m.user_id where ${isCandidate})`
  return sql<Waiting>`
    select event_id, count(*)::int as count, min(asked_at) as since from ${sql.table(table)} r
    where event_id = any(${eventIds}::bigint[]) and r.status = 'asked' ${open} group by event_id`
}

type Asked = { kind: WaitingKind; select: RawBuilder<Waiting> }

/** Counts all kinds in one statement. */
export const countWaiting = async (db: Db, asked: readonly Asked[]) => {
  if (asked.length === 0) return []
  const selects = asked.map(({ kind, select }) => sql`select ${kind}::text as kind, one.* from (${select}) one`)
  return allRows<Waiting & { kind: WaitingKind }>(db)`${sql.join(selects, sql` union all `)}`
}

export const eventsWaiting: WaitingCounts = {
  join_requests: { may: 'invite', count: countOf('join_requests') },
  returns: { may: 'invite', count: countOf('return_requests') },
}
