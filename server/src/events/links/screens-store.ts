import { rolesThatMay } from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { allRows, anyRow, firstRow } from '../../platform/database/rows.ts'
import type { May } from '../standing.ts'
import type { EventRow, Range } from '../store.ts'

/* The SQL of the devices on which links of the kind screen are open. */

export type ScreenRow = {
  id: number
  event_id: number
  link_id: number
  viewer_id: number
  last_used_at: Date
  created_at: Date
}

const screens = sql`
  select d.id, l.event_id, l.id as link_id, l.viewer_id, d.last_used_at, d.created_at
  from event_links l join devices d on d.user_id = l.viewer_id and d.token_expires_at > now()
  where l.role = any(${rolesThatMay('show').filter(role => role.startsWith('screen'))}::text[])`

/** Newest first. */
export const listScreens = (db: Db, { id: eventId }: EventRow & May<'invite'>, { offset, limit }: Range) =>
  allRows<ScreenRow>(db)`
    ${screens} and l.event_id = ${eventId} order by d.id desc offset ${offset} limit ${limit}`

export const findScreen = (db: Db, id: number) => firstRow<ScreenRow>(db)`${screens} and d.id = ${id}`

/** True if this person has ended it before. */
export const wasEndedBy = (db: Db, userId: number, id: number) => anyRow(db)`
    select from audit_entries where actor_id = ${userId} and act = 'screen.ended' and subject_id = ${id} limit 1`
