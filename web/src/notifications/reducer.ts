import type { ChannelPayloads } from '@afterglow/sdk/realtime'
import { become, type Rules, reload } from '../app/cache/change.ts'
import { eachRow, type Listed, withoutRow, withRowFirst } from '../app/cache/pages.ts'
import { notificationsKey, unreadKey } from './keys.ts'

type Notification = ChannelPayloads['notification.created']

/** Channel events about notifications. One that rings again moves to the top. */
export const onNotificationEvent: Rules = heard => {
  if (heard.kind === 'notification.created') {
    const { payload } = heard
    const same = (each: Notification) => each.id === payload.id
    return [
      become<Listed<Notification>>(notificationsKey, shown => withRowFirst(withoutRow(shown, same), payload, same)),
      reload(unreadKey),
    ]
  }
  if (heard.kind === 'notification.read') {
    const { notification_ids, unread_count } = heard.payload
    const read = new Set(notification_ids)
    return [
      become<Listed<Notification>>(notificationsKey, shown =>
        eachRow(shown, each => (read.has(each.id) ? { ...each, read: true } : each)),
      ),
      become<{ unread_count: number }>(unreadKey, () => ({ unread_count })),
    ]
  }
  // Its text is in the notification about it.
  if ((heard.kind === 'message.updated' || heard.kind === 'comment.updated') && heard.payload.extra.edited)
    return [reload(notificationsKey)]
  return []
}
