import type { Notification, notificationKinds, Trace } from '@afterglow/contract/notifications'
import type { z } from 'zod'
import type { deliveriesOf } from './deliveries-store.ts'
import type { NotificationRow } from './notifications-store.ts'

export const presentNotification = (row: NotificationRow): z.output<typeof Notification> => ({
  id: row.id,
  notification_kind: row.kind as (typeof notificationKinds)[number],
  notification_title: row.title,
  notification_body: row.body,
  notification_link: row.link,
  notification_count: row.count,
  event_id: row.event_id,
  subject_id: row.subject_id,
  read: row.read_at !== null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

type DeliveryRow = Awaited<ReturnType<typeof deliveriesOf>>[number]

export const presentTrace = (row: NotificationRow, deliveries: readonly DeliveryRow[]): z.output<typeof Trace> => ({
  notification: presentNotification(row),
  reason: row.reason,
  deliveries: deliveries.map(delivery => ({
    device_id: delivery.device_id,
    user_device_platform: delivery.platform,
    way: delivery.way as 'channel' | 'push' | 'none',
    state: delivery.state as z.output<typeof Trace>['deliveries'][number]['state'],
    reason: [delivery.reason, delivery.outcome].filter(Boolean).join(' '),
    created_at: delivery.created_at.toISOString(),
    updated_at: delivery.updated_at.toISOString(),
  })),
})
