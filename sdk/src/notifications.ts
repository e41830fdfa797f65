import type * as contract from '@afterglow/contract/notifications'
import { operation } from './operation.ts'

export const listNotifications = operation<typeof contract.listNotifications>('GET', 'api/notification/list')
export const countUnreadNotifications = operation<typeof contract.countUnreadNotifications>(
  'GET',
  'api/notification/unread',
)
export const readNotification = operation<typeof contract.readNotification>(
  'PUT',
  'api/notification/read/{notification_id}',
)
export const readAllNotifications = operation<typeof contract.readAllNotifications>('PUT', 'api/notification/read/all')
export const traceNotification = operation<typeof contract.traceNotification>(
  'GET',
  'api/notification/trace/{notification_id}',
)
export const readNotificationSettings = operation<typeof contract.readNotificationSettings>(
  'GET',
  'api/notification/settings',
)
export const saveNotificationSettings = operation<typeof contract.saveNotificationSettings>(
  'POST',
  'api/notification/settings',
)
export const readEventLevel = operation<typeof contract.readEventLevel>('GET', 'api/notification/event/{event_id}')
export const saveEventLevel = operation<typeof contract.saveEventLevel>('POST', 'api/notification/event/{event_id}')
export const registerDevice = operation<typeof contract.registerDevice>('POST', 'api/account/device')
export const testDevice = operation<typeof contract.testDevice>('POST', 'api/account/device/test')
export const readRealtimeConfig = operation<typeof contract.readRealtimeConfig>('GET', 'api/realtime/config')
export const syncRealtime = operation<typeof contract.syncRealtime>('GET', 'api/realtime/sync')
