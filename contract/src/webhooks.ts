/** Webhooks: URLs that are notified of what happens in one event or all events, signed according to Standard Webhooks. */
import { z } from 'zod'
import { proveFirst } from './accounts/passwords.ts'
import { reasonCodes } from './reasons.ts'
import { offerNot, type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { Done, Id, IdNumber, maybe, OptionalId, Page, Paging, sentence, shape, Timestamp, text } from './words.ts'

// ---- resources ----

/** What happens in an event that its members or organizers are told about, and reports. */
export const webhookKinds = [
  'event.updated',
  'event.cancelled',
  'event.deleted',
  'join.requested',
  'join.approved',
  'join.rejected',
  'join.withdrawn',
  'guest.joined',
  'guest.updated',
  'guest.left',
  'answer.updated',
  'wall.updated',
  'message.created',
  'message.updated',
  'message.deleted',
  'message.reacted',
  'photo.created',
  'photo.updated',
  'photo.deleted',
  'photo.liked',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'comment.reacted',
  'report.made',
] as const
/** Sent by `tryWebhook`. */
const tried = 'webhook.tried'

const Kind = z.enum([...webhookKinds, tried])

/**
 * The body of a delivery. It contains IDs and no text: the receiver fetches what it needs through the interface, with
 * an account that has access, so a late delivery reveals nothing that has since been deleted.
 */
export const Happening = shape('Happening', {
  /** The same in every attempt, so that receivers can discard duplicates. */
  id: z
    .uuid()
    .describe('Identifies the occurrence. Every attempt has the same ID: discard IDs you have already processed.'),
  kind: Kind,
  event_id: IdNumber.nullable().describe('The event it happened in; null if it concerns the whole service.'),
  subject_id: IdNumber.nullable().describe('ID of the message, photo, comment, user, event or report it is about.'),
  actor_id: IdNumber.nullable(),
  created_at: Timestamp.describe('When it happened.'),
})
export type Happening = z.output<typeof Happening>

export const Webhook = shape('Webhook', {
  id: IdNumber,
  event_id: IdNumber.nullable().describe('The event this webhook covers; null if it covers the whole service.'),
  webhook_url: z.string(),
  webhook_kinds: z.array(z.enum(webhookKinds)),
  webhook_status: z
    .enum(['on', 'off'])
    .describe(
      '`off`: the receiver accepted nothing for a day, or its maker lost their standing. Anything that happens meanwhile is not delivered.',
    ),
  webhook_consented: z
    .boolean()
    .describe(
      'Whether the receiver has answered a delivery with `Webhook-Consent: <webhook-id>`. Until then it gets at most 60 an hour.',
    ),
  /** Only in the reply that created it. */
  webhook_secret: z
    .string()
    .nullable()
    .describe('Signing secret, used as Standard Webhooks specifies. Null except in the reply that created it.'),
  created_at: Timestamp,
})

export const WebhookDelivery = shape('WebhookDelivery', {
  id: z.uuid().describe('The ID sent to the receiver.'),
  kind: Kind,
  event_id: IdNumber.nullable(),
  subject_id: IdNumber.nullable().describe('ID of the message, photo, comment, user, event or report it is about.'),
  actor_id: IdNumber.nullable(),
  delivery_status: z
    .enum(['waiting', 'delivered', 'dropped'])
    .describe('`waiting` for its first or next attempt; `dropped` if the webhook was switched off.'),
  webhook_tries: z.array(
    z.strictObject({
      tried_at: Timestamp.describe('When the attempt was made.'),
      status: z.int().nullable().describe('HTTP status that the receiver answered with; null if there was no answer.'),
      reason_code: z
        .enum(reasonCodes)
        .nullable()
        .describe('Why the delivery was not accepted, as a code; null if it was.'),
    }),
  ),
  next_try_at: Timestamp.nullable().describe(
    'When the next attempt is made, or the earliest time of the first; null if there is none.',
  ),
  created_at: Timestamp.describe('When it happened.'),
})

// ---- refusals ----

const noSuchEvent = notFound('Event not found!')
const noSuchWebhook = notFound('Webhook not found!')
const notOrganizer = says('The user is not an organizer of the event')
const webhookOff = says('The webhook is switched off')
const notOperator = says('The user is not an operator of this service')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchWebhook: { cause: 'The webhook does not exist, or the caller may not manage it.', client: reload },
  notOperator: { cause: 'Only operators of the service may do this.', client: offerNot },
  tooManyWebhooks: {
    cause: 'The event, or the service, already has ten webhooks.',
    client: 'Offer to remove one.',
  },
  webhookOff: {
    cause:
      'The receiver accepted nothing for a day, or answered 410; or the maker of the webhook organizes the event no more, and its URL is erased.',
    client: 'Offer to switch the webhook on again or, without a URL, to make another.',
  },
} satisfies Record<string, RefusalPage>

// ---- operations ----

export const makeWebhook = route('makeWebhook', 'POST api/webhook', {
  opens: ['webhook'],
  summary:
    'Registers a webhook for an event (organizers only) or, without event_id, for the whole service (operators only). The address must be a public https URL. It lives as long as its maker organizes the event, or operates the service. Made again for the same URL, it stays one and is also told of these kinds.',
  perMinute: 30,
  idempotent: true,
  input: z.object({
    event_id: OptionalId,
    webhook_url: text(2048),
    /** If absent, all kinds. */
    webhook_kinds: maybe(z.array(z.enum(webhookKinds, sentence.selected), sentence.array).min(1, sentence.required)),
  }),
  reply: Webhook,
  refusals: {
    proveFirst,
    noSuchEvent,
    notOrganizer,
    notOperator,
    noSuchWebhook,
    tooManyWebhooks: says('There are as many webhooks as there may be'),
  },
})

export const listWebhooks = route('listWebhooks', 'GET api/webhook/list', {
  opens: ['webhook'],
  summary:
    'Lists the webhooks of an event (organizers only) or, without event_id, those of the service (operators only).',
  input: z.object({ event_id: OptionalId, ...Paging }),
  reply: Page(Webhook),
  refusals: { noSuchEvent, notOrganizer, notOperator },
})

export const switchOnWebhook = route('switchOnWebhook', 'PUT api/webhook/on/{webhook_id}', {
  opens: ['webhook'],
  summary: 'Switches a webhook on again. It receives what happens from now on.',
  input: z.object({ webhook_id: Id }),
  reply: Webhook,
  refusals: { noSuchWebhook, proveFirst, webhookOff },
})

export const renewWebhookSecret = route('renewWebhookSecret', 'PUT api/webhook/secret/{webhook_id}', {
  opens: ['webhook'],
  summary: 'Issues a new secret for a webhook. For a day, deliveries are also signed with the previous one.',
  perMinute: 30,
  input: z.object({ webhook_id: Id }),
  reply: Webhook,
  refusals: { noSuchWebhook, proveFirst },
  takes: { back: null, proof: 'always', tells: 'nobody', audits: 'webhook.changed' },
})

export const tryWebhook = route('tryWebhook', 'PUT api/webhook/try/{webhook_id}', {
  summary: 'Sends a `webhook.tried` test delivery to a webhook. Its result appears in the list of deliveries.',
  perMinute: 30,
  input: z.object({ webhook_id: Id }),
  reply: Done,
  refusals: { noSuchWebhook, webhookOff },
})

export const deleteWebhook = route('deleteWebhook', 'DELETE api/webhook/{webhook_id}', {
  summary: 'Deletes a webhook and the record of its deliveries.',
  input: z.object({ webhook_id: Id }),
  reply: Done,
  refusals: { noSuchWebhook, proveFirst },
  takes: { back: null, proof: 'always', tells: 'nobody', audits: 'webhook.deleted' },
})

export const listWebhookDeliveries = route('listWebhookDeliveries', 'GET api/webhook/delivery/list/{webhook_id}', {
  summary:
    'Lists the deliveries of a webhook within the last week, newest first, each with every attempt, the response and the reason for any failure.',
  input: z.object({ webhook_id: Id, ...Paging }),
  reply: Page(WebhookDelivery),
  refusals: { noSuchWebhook },
})
