import type * as contract from '@afterglow/contract/announcements'
import { operation } from './operation.ts'

export const makeAnnouncement = operation<typeof contract.makeAnnouncement>('POST', 'api/event/announcement')
export const listAnnouncements = operation<typeof contract.listAnnouncements>(
  'GET',
  'api/event/announcement/list/{event_id}',
)
export const seeAnnouncement = operation<typeof contract.seeAnnouncement>(
  'PUT',
  'api/event/announcement/seen/{announcement_id}',
)
export const withdrawAnnouncement = operation<typeof contract.withdrawAnnouncement>(
  'DELETE',
  'api/event/announcement/{announcement_id}',
)
