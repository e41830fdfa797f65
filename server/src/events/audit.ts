import type { auditActs } from '@afterglow/contract/events'
import type { Transaction } from '../platform/database/database.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { insertAudit } from './audit-store.ts'

export type AuditAct = (typeof auditActs)[number]

/** What an organizer did: to which row, and whom it befell. */
export type Audited = { act: AuditAct; eventId: number; subjectId: number; userId?: number | null }

/** Writes an organizer's act into the event's log, in the act's own transaction: there is no act without its entry. */
export const audit = (tx: Transaction, viewer: Pick<Viewer, 'id'>, done: Audited | readonly Audited[]) =>
  insertAudit(tx, viewer.id, [done].flat())
