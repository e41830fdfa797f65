import { reasons } from '@afterglow/contract/reasons'
import { LRUCache } from 'lru-cache'
import webPush from 'web-push'
import { CannotStart } from '../../process/cannot-start.ts'
import { fit, keptSeconds, type PushMessage, topicOf, webForm } from '../message.ts'
import { gone, later, type Outcome, outcomeOfFault, outcomeOfStatus, refused } from '../outcome.ts'
import { isOfStrangers, pushLanes } from '../push-lanes.ts'
import { type ChosenHostsOptions, openChosenHosts } from './chosen-hosts.ts'
import { openHostBackoff } from './host-backoff.ts'
import type { Answer } from './persistent-https.ts'
import { NotPublic } from './public-address.ts'
import type { Subscription } from './subscription.ts'
import type { VapidKeys } from './vapid-keys.ts'

export type WebPushOptions = ChosenHostsOptions & {
  keys: VapidKeys
  /** `mailto:` or `https:` address at which push services reach the operator. */
  subject: string
  /** Trusted origins besides the browsers' services; the private ones by default. */
  knownOrigins?: readonly string[]
}

export type WebPush = {
  send(subscription: Subscription, message: PushMessage): Promise<Outcome>
  close(): void
}

const who = 'browser'
const signatureHours = 12
const signatureKeptMs = 6 * 60 * 60 * 1000

/**
 * Web Push (RFC 8030, 8291, 8292) with the web-push library's encryption and signatures, over persistent connections.
 * Throws CannotStart for a subject that push services would not accept.
 */
export function openWebPush(options: WebPushOptions): WebPush {
  const { privateOrigins = [], knownOrigins = privateOrigins } = options
  const laneOf = pushLanes(knownOrigins)
  const hosts = openHostBackoff()
  let closed = false
  const signatures = openSignatures(options)
  const chosen = openChosenHosts(options)

  return {
    async send(subscription, message) {
      const fault = chosen.faultOf(subscription.endpoint)
      if (fault) return gone(fault)
      const text = fit(message, webForm)
      if (text === null) return refused(reasons.tooLong)

      const url = new URL(subscription.endpoint)
      const ofStrangers = isOfStrangers(laneOf('web', subscription.endpoint))
      if (ofStrangers && hosts.rests(url.host)) return { ...later(reasons.tooSlow(who)), unanswered: true }
      try {
        if (closed) throw new Error('closed')
        const body = encrypted(subscription, text)
        if (!body) return gone(reasons.keysNoKeys)
        const headers = {
          Authorization: signatures.for(url.origin),
          TTL: keptSeconds,
          Urgency: 'high',
          ...(message.tag && { Topic: topicOf(message.tag) }),
          'Content-Type': 'application/octet-stream',
          'Content-Encoding': 'aes128gcm',
          'Content-Length': body.length,
        }
        const answer = await chosen.post(url, headers, body)
        hosts.answered(url.host)
        return outcomeOfAnswer(answer)
      } catch (fault) {
        if (fault instanceof NotPublic) return refused(reasons.privateName(who))
        const outcome = outcomeOfFault(who, fault)
        if (!ofStrangers || closed || outcome.result !== 'later') return outcome
        hosts.silent(url.host)
        return { ...outcome, unanswered: true }
      }
    },

    close() {
      closed = true
      chosen.close()
    },
  }
}

/** Encrypts a text for one browser (RFC 8291), for 200 µs of the event loop; null if its keys are invalid. */
const encrypted = ({ p256dh, auth }: Subscription, text: string): Uint8Array | null => {
  try {
    return webPush.encrypt(p256dh, auth, text, 'aes128gcm').cipherText
  } catch {
    return null
  }
}

/** The Authorization header for a service, signed once for hours, because signing costs half as much as encrypting. */
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
  if (status === 406) return later(reasons.pause(who, status))
  return outcomeOfStatus(who, status, retryAfter)
}
