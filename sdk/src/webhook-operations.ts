import type * as contract from '@afterglow/contract/webhooks'
import { operation } from './operation.ts'

/**
 * Registers a webhook for an event (organizers only) or, without event_id, for the whole service (operators only).
 * The address must be a public https URL. It lives as long as its maker organizes the event, or operates the service.
 * Made again for the same URL, it stays one and is also told of these kinds.
 *
 * `POST api/webhook`, at most 30 times a minute. Takes an `idempotencyKey`.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws notOperator: The user is not an operator of this service
 * @throws noSuchWebhook: Webhook not found!
 * @throws tooManyWebhooks: There are as many webhooks as there may be
 */
export const makeWebhook = operation<typeof contract.makeWebhook>('POST', 'api/webhook')
/**
 * Lists the webhooks of an event (organizers only) or, without event_id, those of the service (operators only).
 *
 * `GET api/webhook/list`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws notOperator: The user is not an operator of this service
 */
export const listWebhooks = operation<typeof contract.listWebhooks>('GET', 'api/webhook/list')
/**
 * Switches a webhook on again. It receives what happens from now on.
 *
 * `PUT api/webhook/on/{webhook_id}`, at most 120 times a minute.
 * @throws noSuchWebhook: Webhook not found!
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws webhookOff: The webhook is switched off
 */
export const switchOnWebhook = operation<typeof contract.switchOnWebhook>('PUT', 'api/webhook/on/{webhook_id}')
/**
 * Issues a new secret for a webhook. For a day, deliveries are also signed with the previous one.
 *
 * `PUT api/webhook/secret/{webhook_id}`, at most 30 times a minute.
 * @throws noSuchWebhook: Webhook not found!
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 */
export const renewWebhookSecret = operation<typeof contract.renewWebhookSecret>(
  'PUT',
  'api/webhook/secret/{webhook_id}',
)
/**
 * Sends a `webhook.tried` test delivery to a webhook. Its result appears in the list of deliveries.
 *
 * `PUT api/webhook/try/{webhook_id}`, at most 30 times a minute.
 * @throws noSuchWebhook: Webhook not found!
 * @throws webhookOff: The webhook is switched off
 */
export const tryWebhook = operation<typeof contract.tryWebhook>('PUT', 'api/webhook/try/{webhook_id}')
/**
 * Deletes a webhook and the record of its deliveries.
 *
 * `DELETE api/webhook/{webhook_id}`, at most 120 times a minute.
 * @throws noSuchWebhook: Webhook not found!
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 */
export const deleteWebhook = operation<typeof contract.deleteWebhook>('DELETE', 'api/webhook/{webhook_id}')
/**
 * Lists the deliveries of a webhook within the last week, newest first, each with every attempt, the response and the
 * reason for any failure.
 *
 * `GET api/webhook/delivery/list/{webhook_id}`, at most 120 times a minute.
 * @throws noSuchWebhook: Webhook not found!
 */
export const listWebhookDeliveries = operation<typeof contract.listWebhookDeliveries>(
  'GET',
  'api/webhook/delivery/list/{webhook_id}',
)
