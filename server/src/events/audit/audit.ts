import type { auditActs } from '@afterglow/contract/events/audit'
import type { Transaction } from '../../platform/database/database.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { insertAudit } from './audit-store.ts'

export type AuditAct = (typeof auditActs)[number]

/** An organizer's act: the row it concerns, and the user affected. */
export type Audited = { act: AuditAct; eventId: number; subjectId: number; userId?: number | null; reason?: string }

/**
 * Writes an organizer's act to the event's log, in the transaction of the act itself: there is no act without an entry.
 */
export const audit = (tx: Transaction, viewer: Pick<Viewer, 'id'>, done: Audited | readonly Audited[]) =>
  insertAudit(tx, viewer.id, [done].flat())
