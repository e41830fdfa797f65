import type * as contract from '@afterglow/contract/webhooks'
import type { z } from 'zod'
import type { DeliveryRow, WebhookRow } from './store.ts'

type Kind = contract.Happening['kind']

export const presentWebhook = (row: WebhookRow, secret: string | null): z.output<typeof contract.Webhook> => ({
  id: row.id,
  event_id: row.event_id,
  webhook_url: row.url,
  webhook_kinds: row.kinds as (typeof contract.webhookKinds)[number][],
  webhook_status: row.status,
  webhook_consented: row.consented,
  webhook_secret: secret,
  created_at: row.created_at.toISOString(),
})

/** The payload, which is the same in every attempt. */
export const presentHappening = (row: DeliveryRow): contract.Happening => ({
  id: row.name,
  kind: row.kind as Kind,
  event_id: row.event_id,
  subject_id: row.subject_id,
  // The service's own acts have no actor.
  actor_id: row.actor_id || null,
  created_at: row.happened_at.toISOString(),
})

export const presentDelivery = (row: DeliveryRow): z.output<typeof contract.WebhookDelivery> => ({
  ...presentHappening(row),
  delivery_status: row.status,
  webhook_tries: row.tries.map(({ at, status, reason }) => ({
    tried_at: at,
    status,
    reason_code: reason as z.output<typeof contract.WebhookDelivery>['webhook_tries'][number]['reason_code'],
  })),
  next_try_at: row.status === 'waiting' ? row.due_at.toISOString() : null,
})
