import type { ClearedPlatform, PushPlatform } from '@afterglow/contract/pushes'
import type { Clearing, PushMessage } from '../../src/platform/push/message.ts'
import { openPush } from '../../src/platform/push/senders.ts'
import { newVapidKeys } from '../../src/platform/push/web-push/vapid-keys.ts'
import { deviceToken, openApple } from './apple.ts'
import { openGoogle } from './google.ts'
import { authority as ca } from './loopback-tls.ts'
import { openWebPushService } from './web-push-service.ts'

/** The origin that the documents use for every service. */
const publicUrl = 'https://party.example'

/** The three push services on loopback, and an app's view of a push on each platform. */
export const openPushServices = async () => {
  const [web, google, apple] = await Promise.all([openWebPushService(), openGoogle(), openApple()])
  const push = openPush({
    webPush: { keys: newVapidKeys(), subject: 'mailto:host@party.example', privateOrigins: [web.origin], ca },
    fcm: { publicUrl, serviceAccount: google.serviceAccount, origin: google.origin, ca },
    apns: { ...apple.options, publicUrl },
    log: { warn: (fields, message) => console.error(message, fields) },
  })
  const { subscription, messages } = web.subscribe()

  const lastOnPhones = () => {
    const { token: _, ...android } = JSON.parse(google.messages().at(-1)?.body ?? '{}').message
    return { android, ios: JSON.parse(apple.calls.at(-1)?.body ?? '{}') }
  }

  return {
    async send(message: PushMessage): Promise<Record<PushPlatform, unknown>> {
      await push.send({ platform: 'web', subscription }, message)
      await push.send({ platform: 'android', token: 'the token of a phone' }, message)
      await push.send({ platform: 'ios', token: deviceToken }, message)
      return { web: messages().at(-1), ...lastOnPhones() }
    },
    async clear(clearing: Clearing): Promise<Record<ClearedPlatform, unknown>> {
      await push.clear({ platform: 'android', token: 'the token of a phone' }, clearing)
      await push.clear({ platform: 'ios', token: deviceToken }, clearing)
      return lastOnPhones()
    },
    async close() {
      await push.close()
      await Promise.all([web.close(), google.close(), apple.close()])
    },
  }
}
