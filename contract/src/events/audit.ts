import { z } from 'zod'
import { MinimalUser } from '../accounts/user.ts'
import { noSuchEvent, notOrganizer } from '../events.ts'
import { route } from '../route.ts'
import { Id, IdNumber, Page, Paging, shape, Timestamp } from '../words.ts'

/** The acts recorded in an event's log. */
export const auditActs = [
  'request.approved',
  'request.rejected',
  'user.invited',
  'guest.removed',
  'guest.brought_back',
  /** `user` let them in again on another device. */
  'guest.let_in',
  /** `user` added them, who have no device. */
  'guest.added',
  /** A guest who joined is this person whom an organizer had added. */
  'guest.claimed',
  'guest.answered',
  /** To the front of the line, for a reason. */
  'guest.moved_up',
  'organizer.made',
  'organizer.unmade',
  'owner.offered',
  /** `about` is the new owner; `user` took the offer, or was the owner until their account was suspended or erased. */
  'owner.changed',
  'event.changed',
  'event.cancelled',
  'event.uncancelled',
  'event.deleted',
  'event.restored',
  'link.made',
  'link.revoked',
  /** Opened again after it had paused. */
  'link.reopened',
  /** Closed, and everybody sent away who had come by it since a moment. */
  'link.sent_away',
  /** That was undone. */
  'link.brought_back',
  'screen.ended',
  'photo.approved',
  'photo.refused',
  /** Its decision was undone: it waits again. */
  'photo.undecided',
  'photo.hidden',
  'photo.unhidden',
  'photo.deleted',
  'photos.allowed',
  'guest.allowed',
  'comment.hidden',
  'comment.unhidden',
  'comment.deleted',
  'message.hidden',
  'message.unhidden',
  'message.deleted',
  'attachment.deleted',
  'chat.ended',
  'chat.reopened',
  'report.resolved',
  'announcement.withdrawn',
  'webhook.made',
  /** Switched on again, or given a new secret. */
  'webhook.changed',
  'webhook.deleted',
  /** Switched off by the service: its receiver accepts nothing, or `user`, who created it, lost their standing. */
  'webhook.ended',
] as const

export const AuditEntry = shape('AuditEntry', {
  id: IdNumber,
  audit_act: z.enum(auditActs).describe('The organizer’s act.'),
  user: MinimalUser,
  /** The ID of the act's subject: the photo for `photo.hidden`, the user for `guest.removed`. */
  subject_id: IdNumber,
  /** The user affected. */
  about: MinimalUser.nullable(),
  audit_reason: z.string().nullable().describe('Why, as the organizer said; null for most acts.'),
  created_at: Timestamp,
})

export const listAudit = route('listAudit', 'GET api/event/audit/{event_id}', {
  summary: 'Lists the acts of the organizers, newest first. Organizers only. Entries are never removed.',
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(AuditEntry),
  refusals: { noSuchEvent, notOrganizer },
})
