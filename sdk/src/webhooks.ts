import type { Happening } from '@afterglow/contract/webhooks'
import type { Connection } from './call.ts'
import { methodsOf } from './methods.ts'
import * as operations from './operations/webhooks.ts'

/*
 * Webhooks are separate from the client, so that apps need not include what only receivers and organizers' tools use.
 */

export type { Happening }

/** A method per operation, like those of `afterglow(connection)`. */
export const webhooks = (connection: Connection) => methodsOf(connection, operations)
export type Webhooks = ReturnType<typeof webhooks>

/** Why a delivery cannot be trusted. */
export type WebhookFault = 'tooLarge' | 'unsigned' | 'tooOld' | 'forged' | 'unreadable'

export class WebhookRefused extends Error {
  override name = 'WebhookRefused'
  readonly fault: WebhookFault
  constructor(fault: WebhookFault) {
    super(fault)
    this.fault = fault
  }
}

/** No delivery is longer. Read no more than this of a request before verifying it. */
export const webhookBodyBytesMax = 65_536
const apartSecondsMax = 5 * 60
const signaturesMax = 10

export type Delivered = {
  /** The request's headers, in lower case or as `Headers`. */
  headers: Headers | Record<string, string | readonly string[] | undefined>
  /** The raw body: parsed and serialised again it would be a different text. */
  body: string | Uint8Array<ArrayBuffer>
  /** The secret, and while it is being rotated the previous one too. */
  secrets: string | readonly string[]
  now?: Date
}

/**
 * The occurrence, if one of the secrets signed it within the last five minutes; otherwise it throws WebhookRefused.
 * Discard an ID that was seen before.
 */
export const verifyWebhook = async ({ headers, body, secrets, now = new Date() }: Delivered): Promise<Happening> => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (bytes.length > webhookBodyBytesMax) throw new WebhookRefused('tooLarge')
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures || !/^\d{1,15}$/.test(timestamp)) throw new WebhookRefused('unsigned')
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > apartSecondsMax) throw new WebhookRefused('tooOld')

  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  const given = signatures
    .split(' ')
    .slice(0, signaturesMax)
    .flatMap(text => (text.startsWith('v1,') ? (bytesOf(text.slice(3)) ?? []) : []))
  if (!(await isSignedByAny([secrets].flat(), given, signed))) throw new WebhookRefused('forged')
  return readHappening(new TextDecoder().decode(bytes), id)
}

const headerOf = (headers: Delivered['headers'], name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

/** Undefined for invalid base64. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const isSignedByAny = async (
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  for (const secret of secrets) {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''))
    if (!bytes?.length) throw new TypeError('A secret of a webhook looks like whsec_… and is base64.')
    const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['verify'])
    for (const signature of signatures) if (await crypto.subtle.verify(hmac, key, signature, signed)) return true
  }
  return false
}

const readHappening = (text: string, id: string): Happening => {
  try {
    const happening = JSON.parse(text)
    if (happening.id === id && typeof happening.kind === 'string') return happening
  } catch {}
  throw new WebhookRefused('unreadable')
}
