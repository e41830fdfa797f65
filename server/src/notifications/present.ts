import { languageIn, localeOf } from '@afterglow/contract/languages'
import type { Notification, notificationKinds, Trace } from '@afterglow/contract/notifications'
import type { NotificationSettings } from '@afterglow/contract/notifications/notification-settings'
import { type Reason, reasons } from '@afterglow/contract/reasons'
import type { z } from 'zod'
import { sayReasons } from '../words/reasons.ts'
import type { deliveriesOf } from './delivery/deliveries-store.ts'
import { ringsPerHourDefault } from './delivery/ring-budget.ts'
import type { NotificationRow } from './notifications-store.ts'
import type { Settings } from './settings/settings-store.ts'
import { type Reader, textOf } from './texts.ts'

export const presentNotification = (row: NotificationRow, reader: Reader): z.output<typeof Notification> => {
  const { title, body } = textOf(row, reader)
  return {
    id: row.id,
    notification_kind: row.kind as (typeof notificationKinds)[number],
    notification_title: title,
    notification_body: body,
    notification_link: row.link,
    notification_count: row.count,
    event_id: row.event_id,
    subject_id: row.subject_id,
    read: row.read_at !== null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

const clockOf = (minutes: number | null) =>
  minutes === null
    ? null
    : `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

export const presentSettings = (
  { muted_until, quiet_from, quiet_until, rings_per_hour, mails_digest }: Settings,
  { language }: Reader,
  asked?: string,
): z.output<typeof NotificationSettings> => ({
  muted_until: muted_until?.toISOString() ?? null,
  quiet_from: clockOf(quiet_from),
  quiet_until: clockOf(quiet_until),
  rings_per_hour: rings_per_hour ?? ringsPerHourDefault,
  mails_digest,
  language: languageIn(language),
  language_not_spoken: asked === undefined || localeOf(asked) !== undefined ? null : asked,
})

type DeliveryRow = Awaited<ReturnType<typeof deliveriesOf>>[number]

type State = z.output<typeof Trace>['deliveries'][number]['state']

/** Longer than a push service is waited for. */
const untoldMs = 60_000

/**
 * A delivery in a trace. A device may name any address as its push service, so that service's answers and timing are
 * only for the operator. The device is told that a push was accepted or, a minute after the ring, that it was not.
 */
const told = (row: NotificationRow, delivery: DeliveryRow, now: Date) => {
  const state = delivery.state as State
  const { created_at: made, outcome } = delivery
  const foreign = delivery.way === 'push' && (state === 'sent' || outcome?.some(isOfBrowser))
  if (!foreign) return { state, outcome, at: delivery.updated_at }
  const at = row.rung_at !== null && row.rung_at > made ? row.rung_at : made
  return now.getTime() - at.getTime() < untoldMs
    ? { state: 'waiting' as const, outcome: null, at }
    : { state: 'failed' as const, outcome: [reasons.refused('browser')], at }
}

const isOfBrowser = (reason: Reason) => 'service' in reason && reason.service === 'browser'

const inWords = (given: readonly Reason[], { language, timezone }: Reader, extra: boolean) => ({
  reason: sayReasons(language, given, timezone),
  ...(extra && { extra: { reasons: [...given] } }),
})

export const presentTrace = (
  row: NotificationRow,
  deliveries: readonly DeliveryRow[],
  reader: Reader,
  { extra, now = new Date() }: { extra: boolean; now?: Date },
): z.output<typeof Trace> => ({
  notification: presentNotification(row, reader),
  ...inWords(row.reasons, reader, extra),
  deliveries: deliveries.map(delivery => {
    const { state, outcome, at } = told(row, delivery, now)
    return {
      device_id: delivery.device_id,
      user_device_platform: delivery.platform,
      way: delivery.way as 'channel' | 'push' | 'none',
      state,
      ...inWords([...delivery.reasons, ...(outcome ?? [])], reader, extra),
      created_at: delivery.created_at.toISOString(),
      updated_at: at.toISOString(),
    }
  }),
})
