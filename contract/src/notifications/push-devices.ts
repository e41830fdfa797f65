import { z } from 'zod'
import { Notification } from '../notifications.ts'
import type { RefusalPage } from '../refusal-advice.ts'
import { route, says } from '../route.ts'
import { maybe, sentence, shape, text } from '../words.ts'

/** Web Push subscriptions and app tokens are far shorter; anything longer is invalid. */
const addressLengthMax = 2048

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noPushAddress: {
    cause: 'The device of this session has not registered a push subscription or token.',
    client: 'Register one with `POST api/account/device` first.',
  },
} satisfies Record<string, RefusalPage>

export const registerDevice = route('registerDevice', 'POST api/account/device', {
  summary:
    'Registers where this device receives pushes: a Web Push subscription or an app’s device token. With neither, the device receives none.',
  perMinute: 30,
  input: z
    .object({
      push_token: maybe(text(addressLengthMax)).describe('Device token from FCM or APNs.'),
      push_endpoint: maybe(text(addressLengthMax)).describe('Endpoint of the Web Push subscription.'),
      push_p256dh: maybe(text(200)).describe('Public key of the Web Push subscription.'),
      push_auth: maybe(text(100)).describe('Authentication secret of the Web Push subscription.'),
    })
    .refine(
      asked => asked.push_endpoint === undefined || (asked.push_p256dh !== undefined && asked.push_auth !== undefined),
      {
        path: ['push_p256dh'],
        error: sentence.required,
      },
    ),
  reply: shape('PushRegistration', { push: z.enum(['web', 'fcm', 'apns', 'none']) }),
  refusals: {},
})

export const testDevice = route('testDevice', 'POST api/account/device/test', {
  summary: 'Sends a test push to this device.',
  perMinute: 5,
  input: z.object({}),
  reply: Notification,
  refusals: { noPushAddress: says('This device has no push subscription or token') },
})
