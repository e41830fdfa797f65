import type { Notification, notificationKinds, Trace } from '@afterglow/contract/notifications'
import { failed, pushFaults, pushServices } from '@afterglow/contract/reasons'
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

type State = z.output<typeof Trace>['deliveries'][number]['state']

/** Longer than a push service is waited for. */
const untoldMs = 60_000
const [browsersService] = pushServices

/**
 * What a trace tells of a delivery. A browser's push service has whatever address a device names: what its host and port
 * answered, and how fast, is for the operator. The device is told that a push was taken, or, a minute after the ring,
 * that it was not.
 */
const told = (row: NotificationRow, delivery: DeliveryRow, now: Date) => {
  const state = delivery.state as State
  const { created_at: made, outcome } = delivery
  const foreign = delivery.way === 'push' && (state === 'sent' || outcome?.startsWith(browsersService))
  if (!foreign) return { state, outcome, at: delivery.updated_at }
  const at = row.rung_at !== null && row.rung_at > made ? row.rung_at : made
  return now.getTime() - at.getTime() < untoldMs
    ? { state: 'waiting' as const, outcome: null, at }
    : { state: 'failed' as const, outcome: failed(pushFaults.notTaken(browsersService)), at }
}

export const presentTrace = (
  row: NotificationRow,
  deliveries: readonly DeliveryRow[],
  now = new Date(),
): z.output<typeof Trace> => ({
  notification: presentNotification(row),
  reason: row.reason,
  deliveries: deliveries.map(delivery => {
    const { state, outcome, at } = told(row, delivery, now)
    return {
      device_id: delivery.device_id,
      user_device_platform: delivery.platform,
      way: delivery.way as 'channel' | 'push' | 'none',
      state,
      reason: [delivery.reason, outcome].filter(Boolean).join(' '),
      created_at: delivery.created_at.toISOString(),
      updated_at: at.toISOString(),
    }
  }),
})
