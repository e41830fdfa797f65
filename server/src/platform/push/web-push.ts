import { deadAddress, pushFaults } from '@afterglow/contract/reasons'
import { LRUCache } from 'lru-cache'
import webPush from 'web-push'
import { CannotStart } from '../cannot-start.ts'
import { openEncryption } from './encryption.ts'
import { type Answer, openHttps } from './kept-https.ts'
import { fit, keptSeconds, type PushMessage, topicOf, webForm } from './message.ts'
import { gone, later, type Outcome, outcomeOfFault, outcomeOfStatus, refused } from './outcome.ts'
import { NotPublic, publicLookup } from './public-address.ts'
import { faultOfEndpoint, type Subscription } from './subscription.ts'
import type { VapidKeys } from './vapid-keys.ts'

export type WebPushOptions = {
  keys: VapidKeys
  /** `mailto:` or `https:` address at which push services reach the operator. */
  subject: string
  /** Origins that may lie in a private network. */
  privateOrigins?: string[]
  /** PEM of an authority to trust instead of the system's. */
  ca?: string
  /** Name servers to ask instead of the system's. */
  nameServers?: string[]
  timeoutMs?: number
}

export type WebPush = {
  send(subscription: Subscription, message: PushMessage): Promise<Outcome>
  close(): Promise<void>
}

const who = "The browser's push service"
const signatureHours = 12
const signatureKeptMs = 6 * 60 * 60 * 1000

/**
 * Web Push (RFC 8030, 8291, 8292) by the web-push library's encryption and signatures, over kept connections.
 * Throws CannotStart for a subject that push services would not take.
 */
export function openWebPush(options: WebPushOptions): WebPush {
  const { privateOrigins = [], ca, timeoutMs = 10_000 } = options
  const signatures = openSignatures(options)
  const encryption = openEncryption()
  const toPublic = openHttps({ ca, timeoutMs, lookup: publicLookup(options.nameServers) })
  const toPrivate = openHttps({ ca, timeoutMs })

  return {
    async send(subscription, message) {
      const fault = faultOfEndpoint(subscription.endpoint, privateOrigins)
      if (fault) return gone(deadAddress.subscription(fault))
      const text = fit(message, webForm)
      if (text === null) return refused(pushFaults.tooLong)

      const url = new URL(subscription.endpoint)
      const door = privateOrigins.includes(url.origin) ? toPrivate : toPublic
      try {
        const body = await encryption.encrypt({ p256dh: subscription.p256dh, auth: subscription.auth, text })
        if (!body) return gone(deadAddress.subscription('its keys are no keys'))
        const headers = {
          Authorization: signatures.for(url.origin),
          TTL: keptSeconds,
          Urgency: 'high',
          ...(message.tag && { Topic: topicOf(message.tag) }),
          'Content-Type': 'application/octet-stream',
          'Content-Encoding': 'aes128gcm',
          'Content-Length': body.length,
        }
        return outcomeOfAnswer(await door.post(url, headers, body))
      } catch (fault) {
        if (fault instanceof NotPublic) return refused(pushFaults.privateName(who))
        return outcomeOfFault(who, fault)
      }
    },

    async close() {
      toPublic.close()
      toPrivate.close()
      await encryption.close()
    },
  }
}

/** The Authorization header a service gets, signed once for hours, as signing costs half as much as encrypting. */
function openSignatures({ keys, subject }: WebPushOptions) {
  const known = new LRUCache<string, string>({ max: 200, ttl: signatureKeptMs })
  try {
    sign('https://push.example')
  } catch {
    throw new CannotStart('The contact for push services cannot be used: give a mailto: or https: address.')
  }
  return {
    for(origin: string): string {
      const signature = known.get(origin) ?? sign(origin)
      known.set(origin, signature, { noUpdateTTL: true })
      return signature
    },
  }

  function sign(origin: string): string {
    const expiresAt = Math.floor(Date.now() / 1000) + signatureHours * 3600
    return webPush.getVapidHeaders(origin, subject, keys.publicKey, keys.privateKey, 'aes128gcm', expiresAt)
      .Authorization
  }
}

function outcomeOfAnswer({ status, retryAfter }: Answer): Outcome {
  // Microsoft's way of asking for a pause.
  if (status === 406) return later(pushFaults.pause(who, status))
  return outcomeOfStatus(who, status, retryAfter)
}
