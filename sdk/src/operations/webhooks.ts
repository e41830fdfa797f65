/* Generated from the contract by `npm run documents`. */
import type * as webhooks from '@afterglow/contract/webhooks'
import { operation } from '../operation.ts'

export const deleteWebhook = operation<typeof webhooks.deleteWebhook>('DELETE', 'api/webhook/{webhook_id}')
export const listWebhookDeliveries = operation<typeof webhooks.listWebhookDeliveries>('GET', 'api/webhook/delivery/list/{webhook_id}')
export const listWebhooks = operation<typeof webhooks.listWebhooks>('GET', 'api/webhook/list')
export const makeWebhook = operation<typeof webhooks.makeWebhook>('POST', 'api/webhook')
export const renewWebhookSecret = operation<typeof webhooks.renewWebhookSecret>('PUT', 'api/webhook/secret/{webhook_id}')
export const switchOnWebhook = operation<typeof webhooks.switchOnWebhook>('PUT', 'api/webhook/on/{webhook_id}')
export const tryWebhook = operation<typeof webhooks.tryWebhook>('PUT', 'api/webhook/try/{webhook_id}')
