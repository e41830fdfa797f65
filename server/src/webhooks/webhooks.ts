import { webhooksMax } from '@afterglow/contract/limits'
import { webhookKinds } from '@afterglow/contract/webhooks'
import { sentence } from '@afterglow/contract/words'
import { requireProof } from '../accounts/proofs.ts'
import { type AuditAct, audit } from '../events/audit/audit.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { ChosenHosts } from '../platform/push/web-push/chosen-hosts.ts'
import { requireCreator, webhookFor } from './access.ts'
import { addSending } from './delivery-sender.ts'
import type { Signing } from './signature.ts'
import * as store from './store.ts'

type WebhookRequest = { eventId: number | null; url: string; kinds: readonly string[] | undefined }

/**
 * One webhook per URL and event, whichever organizer makes it again: many would multiply the receiver's traffic. A host
 * name that leads into a private network is detected when it is called, not here, because names change.
 */
export const makeWebhook = (
  db: Db,
  tools: { hosts: ChosenHosts; signing: Signing },
  viewer: Viewer,
  asked: WebhookRequest,
) =>
  transact(db, async tx => {
    const { eventId, kinds = webhookKinds } = asked
    await requireCreator(tx, viewer, eventId)
    await requireProof(tx, viewer)
    if (tools.hosts.faultOf(asked.url)) invalid('webhook_url', sentence.format)
    const made = { eventId, url: spelledOnce(asked.url), kinds: [...new Set(kinds)], by: viewer.id }
    const before = await store.renewWebhook(tx, made)
    if (before) return noted(tx, viewer, 'webhook.changed', before)
    if ((await store.countWebhooks(tx, eventId)) >= webhooksMax) refuse('tooManyWebhooks')
    const nonce = tools.signing.newNonce()
    return noted(tx, viewer, 'webhook.made', await store.insertWebhook(tx, { ...made, nonce }))
  })

/** A URL without what does not reach its receiver. */
const spelledOnce = (text: string) => {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

/** It receives what happens from now on, and nothing that it missed. */
export const switchOnWebhook = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    if ((await webhookFor(tx, viewer, id)).url === '') refuse('webhookOff')
    await requireProof(tx, viewer)
    return noted(tx, viewer, 'webhook.changed', (await store.switchOn(tx, id)) ?? refuse('noSuchWebhook'))
  })

export const renewSecret = (db: Db, signing: Signing, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    await webhookFor(tx, viewer, id)
    await requireProof(tx, viewer)
    const renewed = (await store.renewNonce(tx, id, signing.newNonce())) ?? refuse('noSuchWebhook')
    return noted(tx, viewer, 'webhook.changed', renewed)
  })

export const tryWebhook = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const webhook = await webhookFor(tx, viewer, id)
    if (webhook.status === 'off') refuse('webhookOff')
    if (!(await store.insertTry(tx, id))) refuse('noSuchWebhook')
    await addSending(tx, webhook)
  })

export const deleteWebhook = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    await webhookFor(tx, viewer, id)
    await requireProof(tx, viewer)
    await noted(tx, viewer, 'webhook.deleted', (await store.deleteWebhook(tx, id)) ?? refuse('noSuchWebhook'))
  })

/** In the log of its event; what operators do with webhooks of the service is not logged. */
const noted = async (tx: Transaction, viewer: Viewer, act: AuditAct, webhook: store.WebhookRow) => {
  const { event_id: eventId, id: subjectId } = webhook
  if (eventId !== null) await audit(tx, viewer, { act, eventId, subjectId })
  return webhook
}
