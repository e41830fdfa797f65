/* Generated from the contract by `npm run documents`. */
import type * as announcements from '@afterglow/contract/announcements'
import { operation } from '../operation.ts'

export const listAnnouncements = operation<typeof announcements.listAnnouncements>('GET', 'api/event/announcement/list/{event_id}')
export const makeAnnouncement = operation<typeof announcements.makeAnnouncement>('POST', 'api/event/announcement')
export const seeAnnouncement = operation<typeof announcements.seeAnnouncement>('PUT', 'api/event/announcement/seen/{announcement_id}')
export const withdrawAnnouncement = operation<typeof announcements.withdrawAnnouncement>('DELETE', 'api/event/announcement/{announcement_id}')
