import type * as contract from '@afterglow/contract/notifications'
import type * as channel from '@afterglow/contract/notifications/channel'
import type * as notificationSettings from '@afterglow/contract/notifications/notification-settings'
import type * as pushDevices from '@afterglow/contract/notifications/push-devices'
import { operation } from './operation.ts'

/**
 * Lists the viewer's notifications, newest first.
 *
 * `GET api/notification/list`, at most 120 times a minute.
 */
export const listNotifications = operation<typeof contract.listNotifications>('GET', 'api/notification/list')
/**
 * Returns the number of unread notifications and when the newest notification was sent.
 *
 * `GET api/notification/unread`, at most 120 times a minute.
 */
export const countUnreadNotifications = operation<typeof contract.countUnreadNotifications>(
  'GET',
  'api/notification/unread',
)
/**
 * Marks a notification as read on all devices.
 *
 * `PUT api/notification/read/{notification_id}`, at most 120 times a minute.
 * @throws noSuchNotification: Notification not found!
 */
export const readNotification = operation<typeof contract.readNotification>(
  'PUT',
  'api/notification/read/{notification_id}',
)
/**
 * Marks every notification as read on all devices.
 *
 * `PUT api/notification/read/all`, at most 120 times a minute.
 */
export const readAllNotifications = operation<typeof contract.readAllNotifications>('PUT', 'api/notification/read/all')
/**
 * Returns, for each device, how and when a notification was delivered, and why.
 *
 * `GET api/notification/trace/{notification_id}`, at most 120 times a minute. Has `extra`.
 * @throws noSuchNotification: Notification not found!
 */
export const traceNotification = operation<typeof contract.traceNotification>(
  'GET',
  'api/notification/trace/{notification_id}',
)
/**
 * Returns the viewer’s notification settings.
 *
 * `GET api/notification/settings`, at most 120 times a minute.
 */
export const readNotificationSettings = operation<typeof notificationSettings.readNotificationSettings>(
  'GET',
  'api/notification/settings',
)
/**
 * Updates the viewer’s notification settings. Omitted fields are switched off, except that rings per hour returns to
 * the default, and the language and the e-mail digest stay unchanged. Notifications held during quiet hours arrive as
 * one when they end.
 *
 * `POST api/notification/settings`, at most 120 times a minute.
 */
export const saveNotificationSettings = operation<typeof notificationSettings.saveNotificationSettings>(
  'POST',
  'api/notification/settings',
)
/**
 * Returns the viewer’s notification settings for an event.
 *
 * `GET api/notification/event/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const readEventLevel = operation<typeof notificationSettings.readEventLevel>(
  'GET',
  'api/notification/event/{event_id}',
)
/**
 * Updates the viewer’s notification settings for an event. Without `muted_until`, the event is not muted. Without
 * `photos_at_once`, new photos are announced once an hour; only organizers can choose to be notified immediately.
 *
 * `POST api/notification/event/{event_id}`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const saveEventLevel = operation<typeof notificationSettings.saveEventLevel>(
  'POST',
  'api/notification/event/{event_id}',
)
/**
 * Registers where this device receives pushes: a Web Push subscription or an app’s device token. With neither, the
 * device receives none.
 *
 * `POST api/account/device`, at most 30 times a minute.
 */
export const registerDevice = operation<typeof pushDevices.registerDevice>('POST', 'api/account/device')
/**
 * Sends a test push to this device.
 *
 * `POST api/account/device/test`, at most 5 times a minute.
 * @throws noPushAddress: This device has no push subscription or token
 */
export const testDevice = operation<typeof pushDevices.testDevice>('POST', 'api/account/device/test')
/**
 * Returns how to open the realtime channel and subscribe to pushes.
 *
 * `GET api/realtime/config`, at most 120 times a minute.
 */
export const readRealtimeConfig = operation<typeof channel.readRealtimeConfig>('GET', 'api/realtime/config')
/**
 * Returns the changes the viewer missed since a cursor, in order, up to now or up to the cursor `until`. Without a
 * cursor, it only returns the current position. A cursor acknowledges the notifications up to it, as the channel
 * would: ask again at once after one, and only while the app is in view.
 *
 * `GET api/realtime/sync`, at most 120 times a minute.
 */
export const syncRealtime = operation<typeof channel.syncRealtime>('GET', 'api/realtime/sync')
