import { reasons } from '@afterglow/contract/reasons'
import { z } from 'zod'
import { openGoogleSignIn, type ServiceAccount } from './google-sign-in.ts'
import { type Answer, openHttp2Origin } from './http2-origin.ts'
import { type Clearing, fit, imagesAt, keptSeconds, type PushMessage } from './message.ts'
import { delivered, gone, type Outcome, outcomeOfFault, outcomeOfStatus, refused } from './outcome.ts'

export type FcmOptions = {
  serviceAccount: ServiceAccount
  origin?: string
  /** PEM of a certificate authority to trust instead of the system's. */
  ca?: string
  /** The app's notification channel; for an unknown one, Android uses the app's default. */
  channel?: string
  /** Phones fetch pictures from here. */
  publicUrl?: string
  timeoutMs?: number
}

export type Fcm = {
  send(token: string, message: PushMessage): Promise<Outcome>
  clear(token: string, clearing: Clearing): Promise<Outcome>
  close(): void
}

const who = 'fcm'
const tokenLengthMax = 4096

/** Pushes to Android through the HTTP v1 interface of Firebase Cloud Messaging. */
export function openFcm(options: FcmOptions): Fcm {
  const {
    serviceAccount,
    origin = 'https://fcm.googleapis.com',
    channel = 'notifications',
    publicUrl,
    ...connection
  } = options
  const fcm = openHttp2Origin(origin, connection)
  const signIn = openGoogleSignIn(serviceAccount, connection)
  const path = `/v1/projects/${serviceAccount.projectId}/messages:send`

  return {
    send: (token, message) => post(token, fit(message, form(channel, publicUrl))),
    clear: (token, clearing) => post(token, JSON.stringify(clearForm(clearing))),
    close() {
      fcm.close()
      signIn.close()
    },
  }

  async function post(token: string, payload: string | null): Promise<Outcome> {
    if (token === '' || token.length > tokenLengthMax) return gone(reasons.noRegistrationToken)
    if (payload === null) return refused(reasons.tooLong)
    const body = `{"message":{"token":${JSON.stringify(token)},${payload.slice(1)}}`
    try {
      return await deliver(body)
    } catch (fault) {
      return outcomeOfFault(who, fault)
    }
  }

  async function deliver(body: string, attempt = 1): Promise<Outcome> {
    const current = await signIn.get()
    if ('outcome' in current) return current.outcome
    const headers = { authorization: `Bearer ${current.token}`, 'content-type': 'application/json' }
    const answer = await fcm.post(path, headers, body)
    if (answer.status !== 401 || attempt > 1) return outcomeOfAnswer(answer)
    // Revoked, or our clock is off: one fresh token decides.
    signIn.forget(current)
    return await deliver(body, attempt + 1)
  }
}

/** FCM requires data values to be strings. The caller adds the token, which does not count towards the size. */
const form = (channel: string, publicUrl: string | undefined) => (message: PushMessage) => {
  const { id, kind, title, body, link, tag, unread, silent, read } = message
  const images = imagesAt(publicUrl, message)
  return {
    notification: { title, body, ...(images.length > 0 && { image: images[0] }) },
    data: {
      id,
      kind,
      link,
      tag,
      ...(unread !== undefined && { unread: String(unread) }),
      ...(read?.length && { read: read.join(' ') }),
      ...(images.length > 0 && { images: images.join(' ') }),
    },
    android: {
      priority: silent ? 'NORMAL' : 'HIGH',
      ttl: `${keptSeconds}s`,
      ...(tag && { collapse_key: tag }),
      notification: {
        channel_id: channel,
        // As quiet as the app's channel allows.
        ...(silent && { notification_priority: 'PRIORITY_LOW', default_sound: false, default_vibrate_timings: false }),
        ...(tag && { tag }),
        ...(unread !== undefined && { notification_count: unread }),
      },
    },
  }
}

/** Data only, so nothing is shown and the app is told when Android allows it. */
const clearForm = ({ unread, read }: Clearing) => ({
  data: { unread: String(unread), read: read.join(' ') },
  android: { priority: 'NORMAL', ttl: `${keptSeconds}s`, collapse_key: 'read' },
})

const faultShape = z.object({
  error: z.object({
    details: z
      .array(
        z.object({
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.object({ field: z.string() })).optional(),
        }),
      )
      .default([]),
  }),
})

function outcomeOfAnswer(answer: Answer): Outcome {
  if (answer.status === 200) return delivered
  const details = faultShape.safeParse(answer.json).data?.error.details ?? []
  if (details.some(({ errorCode }) => errorCode === 'UNREGISTERED')) return gone(reasons.unregistered(who))
  const faultyToken = details.some(({ fieldViolations }) =>
    fieldViolations?.some(({ field }) => field === 'message.token'),
  )
  if (answer.status === 400 && faultyToken) return gone(reasons.noRegistrationToken)
  if (details.some(({ errorCode }) => errorCode === 'SENDER_ID_MISMATCH'))
    return refused(reasons.otherProject(who, answer.status))
  // Without UNREGISTERED the project is unknown, and no device may be dropped for that.
  if (answer.status === 404) return refused(reasons.unknownProject(who, 404))
  return outcomeOfStatus(who, answer.status, answer.retryAfter)
}
