import type * as contract from '@afterglow/contract/announcements'
import { operation } from './operation.ts'

/**
 * Sends an announcement to everyone in an event. Organizers only. It rings once, even for people who have muted the
 * event or are in quiet hours. A second announcement within a minute is merged into the first and does not ring again
 * for people who have not read the first. At most five within 24 hours.
 *
 * `POST api/event/announcement`, at most 20 times a minute. Takes an `idempotencyKey`.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws noSuchAnnouncement: Announcement not found!
 * @throws tooManyAnnouncements: This event has had enough announcements for today
 */
export const makeAnnouncement = operation<typeof contract.makeAnnouncement>('POST', 'api/event/announcement')
/**
 * Lists the announcements of an event, newest first.
 *
 * `GET api/event/announcement/list/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const listAnnouncements = operation<typeof contract.listAnnouncements>(
  'GET',
  'api/event/announcement/list/{event_id}',
)
/**
 * Marks an announcement as read on all of the viewer’s devices.
 *
 * `PUT api/event/announcement/seen/{announcement_id}`, at most 120 times a minute.
 * @throws noSuchAnnouncement: Announcement not found!
 */
export const seeAnnouncement = operation<typeof contract.seeAnnouncement>(
  'PUT',
  'api/event/announcement/seen/{announcement_id}',
)
/**
 * Withdraws an announcement along with its notifications. Organizers only.
 *
 * `DELETE api/event/announcement/{announcement_id}`, at most 120 times a minute.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws noSuchAnnouncement: Announcement not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const withdrawAnnouncement = operation<typeof contract.withdrawAnnouncement>(
  'DELETE',
  'api/event/announcement/{announcement_id}',
)
