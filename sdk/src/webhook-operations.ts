import type * as contract from '@afterglow/contract/webhooks'
import { operation } from './operation.ts'

export const makeWebhook = operation<typeof contract.makeWebhook>('POST', 'api/webhook')
export const listWebhooks = operation<typeof contract.listWebhooks>('GET', 'api/webhook/list')
export const switchOnWebhook = operation<typeof contract.switchOnWebhook>('PUT', 'api/webhook/on/{webhook_id}')
export const renewWebhookSecret = operation<typeof contract.renewWebhookSecret>(
  'PUT',
  'api/webhook/secret/{webhook_id}',
)
export const tryWebhook = operation<typeof contract.tryWebhook>('PUT', 'api/webhook/try/{webhook_id}')
export const deleteWebhook = operation<typeof contract.deleteWebhook>('DELETE', 'api/webhook/{webhook_id}')
export const listWebhookDeliveries = operation<typeof contract.listWebhookDeliveries>(
  'GET',
  'api/webhook/delivery/list/{webhook_id}',
)
