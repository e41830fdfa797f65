import * as contract from '@afterglow/contract/webhooks'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { ChosenHosts } from '../platform/push/web-push/chosen-hosts.ts'
import { requireManager, webhookFor } from './access.ts'
import type { DeliveryWriter } from './delivery-writer.ts'
import { presentDelivery, presentWebhook } from './present.ts'
import type { Signing } from './signature.ts'
import * as store from './store.ts'
import * as webhooks from './webhooks.ts'

type Tools = { hosts: ChosenHosts; signing: Signing; taking: DeliveryWriter }

export const webhookRoutes = (serve: Serve, { hosts, signing, taking }: Tools) => {
  const withSecret = (row: store.WebhookRow) => presentWebhook(row, signing.secretOf(row.nonce))
  const withoutSecret = (row: store.WebhookRow) => presentWebhook(row, null)

  serve(
    contract.makeWebhook,
    async ({ db: pool, viewer, input, once }) => {
      await store.placeChanges(pool)
      const { event_id: eventId = null, webhook_url: url, webhook_kinds: kinds } = input
      const made = await once(async db =>
        withSecret(await webhooks.makeWebhook(db, { hosts, signing }, viewer, { eventId, url, kinds })),
      )
      taking.expect()
      return made
    },
    {
      // The secret is not stored: someone who can read the table of replies must not find it there.
      keep: webhook => webhook.id,
      replay: async ({ db, viewer }, id: number) => withSecret(await webhookFor(db, viewer, id)),
    },
  )

  serve(contract.listWebhooks, async ({ db, viewer, input, page }) => {
    const eventId = input.event_id ?? null
    await requireManager(db, viewer, eventId)
    return page(await store.listWebhooks(db, eventId, rangeOf(input)), withoutSecret)
  })

  serve(contract.switchOnWebhook, async ({ db, viewer, input }) => {
    await store.placeChanges(db)
    const row = await webhooks.switchOnWebhook(db, viewer, input.webhook_id)
    taking.expect()
    return withoutSecret(row)
  })

  serve(contract.renewWebhookSecret, async ({ db, viewer, input }) =>
    withSecret(await webhooks.renewSecret(db, signing, viewer, input.webhook_id)),
  )

  serve(contract.tryWebhook, async ({ db, viewer, input }) => {
    await webhooks.tryWebhook(db, viewer, input.webhook_id)
    return { done: true as const }
  })

  serve(contract.deleteWebhook, async ({ db, viewer, input }) => {
    await webhooks.deleteWebhook(db, viewer, input.webhook_id)
    return { done: true as const }
  })

  serve(contract.listWebhookDeliveries, async ({ db, viewer, input, page }) => {
    await webhookFor(db, viewer, input.webhook_id)
    return page(await store.listDeliveries(db, input.webhook_id, rangeOf(input)), presentDelivery)
  })
}
