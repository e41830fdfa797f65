import { userStatus } from '@afterglow/contract/accounts/user'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, allValues, anyRow } from '../../platform/database/rows.ts'
import { restorable } from '../../platform/media/file-references.ts'
import type { Manageable } from '../standing.ts'
import type { EventRow, Range } from '../store.ts'
import type { AuditAct, Audited } from './audit.ts'

/* The SQL of the audit log, to which the database only allows additions. */

export const insertAudit = async (tx: Transaction, actorId: number, all: readonly Audited[]) => {
  if (all.length === 0) return
  const rows = all.map(({ act, eventId, subjectId, userId = null, reason = null }) => ({
    event_id: eventId,
    actor_id: actorId,
    act,
    subject_id: subjectId,
    user_id: userId,
    reason,
  }))
  await tx.insertInto('audit_entries').values(rows).execute()
}

/**
 * Everyone this user invited within the last day, across all events; repeated invitations count each time. Accounts
 * without a password that came by one link are one.
 */
export const invitedLately = (db: Db, actorId: number) => allValues<number>(db)`
    select user_id from audit_entries
    where actor_id in (
      select ${actorId}::bigint union select o.id from users u join users o on o.came_by = u.came_by and o.status = u.status
      where u.id = ${actorId} and u.status = ${sql.lit(userStatus.guest)}
    ) and act = 'user.invited' and created_at > now() - interval '1 day'`

/** The people among these whom somebody has invited to this event. */
export const invitedBefore = async (
  db: Db,
  eventId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number | null>> => {
  if (ids.length === 0) return new Set()
  const found = await allValues<number>(db)`
    select user_id from audit_entries
    where event_id = ${eventId} and act = 'user.invited' and user_id = any(${ids}::bigint[])`
  return new Set(found)
}

/** True if a cancelled event can be planned again. */
export const cancelledLately = (db: Db, { id: eventId }: EventRow & Manageable) => anyRow(db)`
    select from audit_entries
    where event_id = ${eventId} and act = 'event.cancelled' and created_at > now() - ${restorable} limit 1`

export type AuditRow = {
  id: number
  actor_id: number
  act: AuditAct
  subject_id: number
  user_id: number | null
  reason: string | null
  created_at: Date
}

/** Newest first. */
export const listAudit = (db: Db, { id: eventId }: EventRow & Manageable, { offset, limit }: Range) =>
  allRows<AuditRow>(db)`
    select id, actor_id, act, subject_id, user_id, reason, created_at from audit_entries where event_id = ${eventId}
    order by id desc offset ${offset} limit ${limit}`
