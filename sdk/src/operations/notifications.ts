/* Generated from the contract by `npm run documents`. */
import type * as notifications from '@afterglow/contract/notifications'
import type * as notificationsChannel from '@afterglow/contract/notifications/channel'
import type * as notificationsNotificationSettings from '@afterglow/contract/notifications/notification-settings'
import type * as notificationsPushDevices from '@afterglow/contract/notifications/push-devices'
import { operation } from '../operation.ts'

export const countUnreadNotifications = operation<typeof notifications.countUnreadNotifications>('GET', 'api/notification/unread')
export const listNotifications = operation<typeof notifications.listNotifications>('GET', 'api/notification/list')
export const readAllNotifications = operation<typeof notifications.readAllNotifications>('PUT', 'api/notification/read/all')
export const readEventLevel = operation<typeof notificationsNotificationSettings.readEventLevel>('GET', 'api/notification/event/{event_id}')
export const readNotification = operation<typeof notifications.readNotification>('PUT', 'api/notification/read/{notification_id}')
export const readNotificationSettings = operation<typeof notificationsNotificationSettings.readNotificationSettings>('GET', 'api/notification/settings')
export const readRealtimeConfig = operation<typeof notificationsChannel.readRealtimeConfig>('GET', 'api/realtime/config')
export const registerDevice = operation<typeof notificationsPushDevices.registerDevice>('POST', 'api/account/device')
export const saveEventLevel = operation<typeof notificationsNotificationSettings.saveEventLevel>('POST', 'api/notification/event/{event_id}')
export const saveNotificationSettings = operation<typeof notificationsNotificationSettings.saveNotificationSettings>('POST', 'api/notification/settings')
export const syncRealtime = operation<typeof notificationsChannel.syncRealtime>('GET', 'api/realtime/sync')
export const testDevice = operation<typeof notificationsPushDevices.testDevice>('POST', 'api/account/device/test')
export const traceNotification = operation<typeof notifications.traceNotification>('GET', 'api/notification/trace/{notification_id}')
