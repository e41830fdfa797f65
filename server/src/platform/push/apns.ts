import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Reason, reasons } from '@afterglow/contract/reasons'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { CannotStart } from '../process/cannot-start.ts'
import { clearForm, collapseIdOf, form } from './apns-form.ts'
import { cacheUntilExpiry, type Expiring } from './expiring-value.ts'
import { type Answer, type Http2Options, openHttp2Origin } from './http2-origin.ts'
import { type Clearing, fit, keptSeconds, type PushMessage } from './message.ts'
import { gone, later, type Outcome, outcomeOfFault, outcomeOfStatus, refused } from './outcome.ts'

export type ApnsOptions = Http2Options & {
  /** PEM of the .p8 file from Apple. */
  key: string
  keyId: string
  teamId: string
  /** The app's bundle ID. */
  topic: string
  origin?: string
  /** Phones fetch pictures from here. */
  publicUrl?: string
  /** Apple accepts a provider token for an hour and no new one within 20 minutes. */
  renewTokenAfterMs?: number
}

export type Apns = {
  send(token: string, message: PushMessage): Promise<Outcome>
  clear(token: string, clearing: Clearing): Promise<Outcome>
  close(): void
}

const who = 'apns'
const deviceToken = /^(?:[0-9a-f]{2}){16,100}$/i

/**
 * Pushes to iOS through Apple's provider interface, over one persistent session. Throws CannotStart for an invalid key.
 */
export function openApns(options: ApnsOptions): Apns {
  const { key, keyId, teamId, topic, publicUrl, renewTokenAfterMs = 45 * 60_000, ...connection } = options
  const signingKey = readKey(key)
  const apns = openHttp2Origin(options.origin ?? 'https://api.push.apple.com', connection)
  const providerToken = cacheUntilExpiry(async (): Promise<Expiring & { token: string }> => {
    const token = new SignJWT().setProtectedHeader({ alg: 'ES256', kid: keyId }).setIssuer(teamId).setIssuedAt()
    return { token: await token.sign(signingKey), until: performance.now() + renewTokenAfterMs }
  })

  return {
    async send(token, message) {
      if (!deviceToken.test(token)) return gone(reasons.noDeviceToken)
      const body = fit(message, form(publicUrl))
      if (body === null) return refused(reasons.tooLong)
      return tryTo(deliver(token, { priority: '10', collapseId: collapseIdOf(message.tag), body }))
    },
    async clear(token, clearing) {
      if (!deviceToken.test(token)) return gone(reasons.noDeviceToken)
      return tryTo(deliver(token, { priority: '5', collapseId: 'read', body: JSON.stringify(clearForm(clearing)) }))
    },
    close: () => apns.close(),
  }

  async function deliver(token: string, push: Sent, attempt = 1): Promise<Outcome> {
    const { priority, collapseId, body } = push
    const current = await providerToken.get()
    const headers = {
      authorization: `bearer ${current.token}`,
      'apns-topic': topic,
      'apns-push-type': 'alert',
      'apns-priority': priority,
      'apns-expiration': String(Math.floor(Date.now() / 1000) + keptSeconds),
      ...(collapseId && { 'apns-collapse-id': collapseId }),
      'content-type': 'application/json',
    }
    const answer = await apns.post(`/3/device/${token}`, headers, body)
    const reason = reasonOf(answer)
    if (reason !== 'ExpiredProviderToken' || attempt > 1) return outcomeOfAnswer(answer, reason)
    providerToken.forget(current)
    return await deliver(token, push, attempt + 1)
  }
}

type Sent = { priority: '5' | '10'; collapseId: string; body: string }

const tryTo = (delivering: Promise<Outcome>) => delivering.catch((fault: unknown) => outcomeOfFault(who, fault))

function readKey(pem: string): KeyObject {
  const fault = 'The APNs key cannot be used: give the .p8 file that Apple made.'
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    throw new CannotStart(fault)
  }
  throw new CannotStart(fault)
}

const reasonShape = z.object({ reason: z.string() })
const reasonOf = ({ json }: Answer) => (json === undefined ? '' : (reasonShape.safeParse(json).data?.reason ?? ''))

/** Errors that Apple blames on us; any other is reported by its status. */
const ourFaults: Record<string, (service: typeof who, status: number) => Reason> = {
  DeviceTokenNotForTopic: reasons.otherApp,
  BadTopic: reasons.unknownApp,
  TopicDisallowed: reasons.forbiddenApp,
  MissingTopic: reasons.unknownApp,
  BadCertificateEnvironment: reasons.otherEnvironment,
  BadEnvironmentKeyInToken: reasons.otherEnvironment,
  InvalidProviderToken: reasons.key,
  ExpiredProviderToken: reasons.clock,
}

function outcomeOfAnswer({ status, retryAfter }: Answer, reason: string): Outcome {
  if (status === 410 || reason === 'BadDeviceToken') return gone(reasons.unknownDevice(who, status))
  if (reason === 'IdleTimeout') return later(reasons.idle(who))
  const fault = Object.hasOwn(ourFaults, reason) ? ourFaults[reason] : undefined
  if (fault) return refused(fault(who, status))
  // Only 410 concerns a device: a 404 is a path Apple does not know.
  if (status === 404) return refused(reasons.unknownWay(who, status))
  return outcomeOfStatus(who, status, retryAfter)
}
